import { Type } from 'typebox';
import { isOnGrid } from '#shared/content-widgets/content-widgets.ts';
import { filtersOfWidgets, isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import { timestamp } from '../../base/clock.ts';
import { requireDashboard } from '../../dashboards/access/access.ts';
import { contentOf } from '../../dashboards/content/content.ts';
import { runDashboard, type ToLine } from '../../dashboards/results/results.ts';
import { dashboardUrl } from '../addresses.ts';
import { maxResultBytes, toShownRows } from '../rows.ts';
import { shorten } from '../texts.ts';
import { defineTool, type ToolCall, type ToolDependencies } from '../tool.ts';
import { Id, Time, Url, Version } from './fields.ts';
import { citeReport } from './read-report.ts';
import { maxTextLength, ShownWidget, toShownWidgets, type RunLine } from './shown-widgets.ts';

/** How many widgets are run at once, and the least that the result of each gets. */
const maxWidgets = 40;
const minWidgetBytes = 2 * 1024;
const defaultRows = 20;

const FilterText = Type.Union([
  Type.String({ maxLength: 10_000 }),
  Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1_000 }),
]);

export const readDashboard = defineTool({
  name: 'read_dashboard',
  title: 'Read a dashboard',
  description:
    'Returns a dashboard as people read it: its filters, and its widgets in order with their texts and the numbers that they show. When you ' +
    'use a number, cite the report of its widget, the version, and `computedAt`.',
  scope: 'read',
  input: Type.Object({
    dashboardId: Id,
    filters: Type.Optional(
      Type.Record(Type.String(), FilterText, {
        description:
          'The values of filters by name, as in the address of the page: `last-30-days`, `2026-11-01..2026-11-30`. Those that are left ' +
          'out have their defaults',
      }),
    ),
    widgetIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: maxWidgets, description: 'Default: the first widgets' }),
    ),
    maxRowsPerWidget: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: `Default: ${defaultRows}` }),
    ),
  }),
  output: Type.Object({
    dashboard: Type.Object({ id: Type.String(), name: Type.String(), version: Version, url: Url }),
    description: Type.Optional(Type.String()),
    filters: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.Optional(Type.String()),
        kind: Type.String(),
        default: Type.Optional(Type.Unknown()),
        isRequired: Type.Optional(Type.Boolean()),
      }),
    ),
    widgets: Type.Array(ShownWidget),
    truncated: Type.Optional(Type.String({ description: 'Present if widgets are missing' })),
    updatedAt: Time,
  }),
  run: async (
    dependencies,
    call,
    { dashboardId, filters: values = {}, widgetIds, maxRowsPerWidget = defaultRows },
  ) => {
    const dashboard = await requireDashboard(dependencies.database, call.actor, dashboardId);
    const { widgets: all, ...head } = contentOf(dashboard);
    const structure = structureOf(all);
    const asked = new Set(widgetIds);
    const found = widgetsInOrder(structure).filter(
      (widget) => isOnGrid(widget) && (widgetIds === undefined || asked.has(widget.id)),
    );
    const widgets = found.slice(0, maxWidgets);
    const reportCount = widgets.filter(({ reportId }) => !isBuiltIn(reportId)).length;
    const limits = {
      maxRows: maxRowsPerWidget,
      maxBytes: Math.max(minWidgetBytes, Math.floor(maxResultBytes / Math.max(1, reportCount))),
    };
    const lines = await runWidgets(dependencies, call, {
      id: dashboardId,
      widgetIds: new Set(widgets.map(({ id }) => id)),
      values,
      toLine: (shown, run, report) =>
        toLine({
          widgetIds: shown.widgetIds,
          report: citeReport(dependencies, report),
          ...(shown.visualization && { chart: shown.visualization.kind }),
          ...toShownRows(run.result, limits),
          computedAt: timestamp(run.result.computedAt),
          isFromCache: run.result.isFromCache,
        }),
    });
    const { description } = head;
    return {
      dashboard: {
        id: dashboard.id,
        name: shorten(head.name, maxTextLength),
        version: dashboard.version,
        url: dashboardUrl(dependencies.publicUrl, dashboard.id),
      },
      ...(description !== undefined && { description: shorten(description, maxTextLength) }),
      filters: filtersOfWidgets(all).filters.map(({ name, label, kind, default: preset, isRequired }) => ({
        name,
        ...(label !== undefined && { label }),
        kind,
        ...(preset !== undefined && { default: preset }),
        ...(isRequired === true && { isRequired }),
      })),
      widgets: toShownWidgets(widgets, structure, lines),
      ...(found.length > widgets.length && {
        truncated: `Only ${widgets.length} of ${found.length} widgets are shown. Ask for the others by \`widgetIds\`: ${found
          .slice(maxWidgets, 2 * maxWidgets)
          .map(({ id }) => id)
          .join(', ')}`,
      }),
      updatedAt: dashboard.updatedAt,
    };
  },
});

const toLine = (line: RunLine): string => `${JSON.stringify(line)}\n`;

/** Runs the reports of widgets, and returns what each line has. */
async function runWidgets(
  dependencies: ToolDependencies,
  { actor, signal, onFailure }: ToolCall,
  input: {
    readonly id: string;
    readonly widgetIds: ReadonlySet<string>;
    readonly values: Readonly<Record<string, string | readonly string[]>>;
    readonly toLine: ToLine;
  },
): Promise<RunLine[]> {
  const pieces = await runDashboard(dependencies, actor, {
    ...input,
    isView: true,
    isForced: false,
    signal,
    onFailure,
  });
  const lines: RunLine[] = [];
  // Each piece is a whole line, since `toLine` returns text. Sound because it, or a problem of the rule, made the line.
  for await (const piece of pieces) lines.push(JSON.parse(String(piece)) as RunLine);
  return lines;
}
