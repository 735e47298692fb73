import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ExportFormat } from '#contract/dashboards/exports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { defaultBranding } from '#shared/branding/branding.ts';
import type { ColumnType } from '#shared/columns.ts';
import { defaultRegion } from '#shared/region/region.ts';
import type { ExportJob } from '../../../src/server/exports/job.ts';

/** A widget of a job, with the result of its report. */
export interface WidgetOfJob {
  readonly title?: string;
  readonly layout?: Partial<Widget['layout']>;
  readonly visualization?: Visualization;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly (readonly unknown[])[];
  readonly isCutOff?: boolean;
  readonly parameters?: WidgetResult['parameters'];
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Returns a job and the results that a worker gets; widgets without a place are below each other. */
export function jobOf(
  format: ExportFormat,
  widgets: readonly WidgetOfJob[],
  job: Partial<ExportJob> = {},
): { job: ExportJob; lines: WidgetResult[] } {
  return {
    job: {
      format,
      textLanguage: 'en',
      name: 'Sales',
      version: 7,
      values: {},
      repeated: {},
      exportedAt: Date.UTC(2026, 10, 23, 14, 30),
      timeZone: 'UTC',
      hasPatterns: false,
      weekStart: 'monday',
      region: defaultRegion,
      branding: defaultBranding,
      publicUrl: 'https://atrium.example',
      images: {},
      widgets: [
        ...widgets.map(({ layout, config = {} }, index) => ({
          id: `widget-${index}`,
          reportId: `report-${index}`,
          layout: { x: 0, y: index * 5, w: 6, h: 5, ...layout },
          config,
        })),
        ...(job.widgets ?? []),
      ],
      ...(({ widgets: _, ...others }) => others)(job),
    },
    lines: widgets.map(
      ({ title = 'A report', visualization, columns, rows, isCutOff = false, parameters = [] }, index) => ({
        widgetIds: [`widget-${index}`],
        reportId: `report-${index}`,
        reportName: title,
        visualization: visualization ?? { kind: 'table' },
        parameters,
        result: {
          columns: columns.map(([name, type]): Column => ({ name, type, sourceType: type })),
          rows: rows.map((row) => [...row]) as never,
          rowCount: rows.length,
          isCutOff,
          computedAt: '2026-11-23T14:00:00.000Z',
          durationMs: 1,
          isFromCache: false,
          faults: [],
        },
      }),
    ),
  };
}

/** Texts that break what doesn't expect them. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  '"><image href="https://evil.example/x.png"/>',
  ']]>&amp;&#0;',
  '=HYPERLINK("https://evil.example","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '_x0041_',
  'שלום עולם',
  'مرحبا',
  '日本語',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u202Eabc\u202C',
  'control \u0001\u0008\u000B\u001F\u007F',
  '\uD800 half',
  '\uFFFE\uFFFF',
  'x'.repeat(40_000),
  '',
];
