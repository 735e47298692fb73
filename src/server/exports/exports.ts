import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { readersLocale } from '#shared/region/locales.ts';
import { isTimeZone } from '#shared/dates/time-zones.ts';
import { titleOf } from '#charts/widgets/title.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { requireDashboard } from '../dashboards/access/access.ts';
import { contentOf } from '../dashboards/content/content.ts';
import { runDashboard, type DashboardResultDependencies } from '../dashboards/results/results.ts';
import { getAppearance, getCalendar } from '../organizations/organizations.ts';
import type { ExportSlots } from './slots.ts';
import { runExportWorker, type WorkerOptions } from './worker/run.ts';

export interface ExportDependencies extends DashboardResultDependencies {
  readonly slots: ExportSlots;
  readonly worker: WorkerOptions;
}

export interface ExportInput {
  readonly id: string;
  /** The only widget to export; all if it is left out. */
  readonly widgetId?: string;
  readonly format: ExportFormat;
  /** The values of the filters as in a URL. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /** The zone of the reader; that of the organization by default. */
  readonly timeZone?: string | undefined;
  /** That of the reader, as a BCP 47 tag, for organizations without a locale. */
  readonly language: string;
  readonly signal: AbortSignal;
  /** Called with an unexpected error of a report; the file doesn't reveal it. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Makes a file of a dashboard, or of one of its widgets, with the results that the actor may see. Throws `not_found`,
 * `export_too_large` and `exports_busy`.
 */
export async function exportDashboard(
  dependencies: ExportDependencies,
  actor: Actor,
  input: ExportInput,
): Promise<{ readonly name: string; readonly file: Buffer }> {
  const { database, clock, slots, worker } = dependencies;
  const { widgetId, format, values, signal, onFailure } = input;
  const dashboard = await requireDashboard(database, actor, input.id);
  const { name, widgets } = contentOf(dashboard);
  const widget = widgets.find(({ id }) => id === widgetId);
  if (widgetId !== undefined && (widget === undefined || isBuiltIn(widget.reportId))) throw notFound();
  const calendar = await getCalendar(database, clock, dashboard.organizationId);
  const { region, branding } = await getAppearance(database, dashboard.organizationId);
  const { timeZone = calendar.timeZone } = input;
  if (!isTimeZone(timeZone)) throw invalidTimeZone();
  const job = {
    format,
    name,
    version: dashboard.version,
    widgets,
    ...(widgetId !== undefined && { widgetId }),
    values,
    exportedAt: clock(),
    timeZone,
    weekStart: calendar.weekStart,
    region,
    branding,
  };
  const file = await slots.run(dashboard.organizationId ?? dashboard.userId, signal, async () => {
    const lines = await runDashboard(dependencies, actor, {
      id: dashboard.id,
      ...(widgetId !== undefined && { widgetIds: new Set([widgetId]) }),
      values,
      isForced: false,
      signal,
      onFailure,
    });
    const language = region.locale === readersLocale ? input.language : region.locale;
    return runExportWorker(worker, job, { lines, language, signal });
  });
  const title = widget && titleOf({ widget, line: undefined });
  return { name: title ?? name, file };
}

const invalidTimeZone = (): AtriumError =>
  new AtriumError('invalid_parameters', undefined, {
    faults: [{ pointer: '/time-zone', code: 'time_zone', message: 'must be the name of a time zone' }],
  });
