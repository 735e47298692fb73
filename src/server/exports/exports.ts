import type { ExportFormat } from '#contract/dashboards/exports.ts';
import { isOnGrid, nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { firstLanguageOf, type Language } from '#shared/language/languages.ts';
import { readersLocale } from '#shared/region/locales.ts';
import { isTimeZone } from '#shared/dates/time-zones.ts';
import { titleOf } from '#charts/widgets/title.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { keyOfTenant, tenantOf } from '../base/tenant.ts';
import { requireDashboard } from '../dashboards/access/access.ts';
import { contentOf } from '../dashboards/content/content.ts';
import type { DashboardResultDependencies, ForeignReport } from '../dashboards/results/results.ts';
import { getAppearance, getCalendar } from '../organizations/organizations.ts';
import { readPictures } from './images.ts';
import { exportedResults, findRepeatedSections } from './results.ts';
import type { ExportSlots } from './slots.ts';
import { limitResults } from './results-limit.ts';
import { withSpooled, type SpoolSpace } from './spool.ts';
import { runExportWorker, tooLarge, type WorkerOptions } from './worker/run.ts';

export interface ExportDependencies extends DashboardResultDependencies {
  readonly slots: ExportSlots;
  readonly space: SpoolSpace;
  readonly worker: WorkerOptions;
  /** Where this server is reached, for links to its pages. */
  readonly publicUrl: string;
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
  /** Whether the colors of charts have patterns, too. */
  readonly hasPatterns: boolean;
  /** That of the reader, as a BCP 47 tag, for organizations without a locale. */
  readonly language: string;
  /** The language of the words that Atrium writes; that of the organization or of the reader by default. */
  readonly textLanguage?: Language | undefined;
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
  const { database, clock, slots, space, worker, publicUrl } = dependencies;
  const { widgetId, format, values, signal, onFailure } = input;
  const dashboard = await requireDashboard(database, actor, input.id);
  const { name, widgets } = contentOf(dashboard);
  const widget = widgets.find(({ id }) => id === widgetId);
  if (widgetId !== undefined && (widget === undefined || !isOnGrid(widget))) throw notFound();
  const calendar = await getCalendar(database, clock, dashboard.organizationId);
  const { region, branding } = await getAppearance(database, dashboard.organizationId);
  const { timeZone = calendar.timeZone } = input;
  if (!isTimeZone(timeZone)) throw invalidTimeZone();
  const tags = region.locale === readersLocale ? [input.language] : [region.locale, input.language];
  const job = {
    textLanguage: input.textLanguage ?? firstLanguageOf(tags) ?? 'en',
    format,
    name,
    version: dashboard.version,
    widgets,
    ...(widgetId !== undefined && { widgetId }),
    values,
    exportedAt: clock(),
    timeZone,
    hasPatterns: input.hasPatterns,
    weekStart: calendar.weekStart,
    region,
    branding,
    publicUrl,
  };
  const { organizationId } = dashboard;
  const tenant = tenantOf({ organizationId, userId: actor.userId });
  const foreign = new Map<string, ForeignReport>();
  const file = await slots.admit({ tenant, userId: actor.userId }, signal, async (takeSlot) => {
    const { resultsTimeoutMs: timeoutMs, maxInputBytes: maxBytes } = worker.limits;
    const results = limitResults(signal, { timeoutMs, createError: () => tooLarge('results') });
    try {
      const context = { widgets, values, signal: results.signal };
      const repeated =
        widget === undefined ? await findRepeatedSections(dependencies, actor, { ...context, calendar }) : {};
      const lines = exportedResults(dependencies, actor, {
        ...context,
        id: dashboard.id,
        widget,
        repeated,
        onForeignReport: (report) => void foreign.set(report.id, report),
        onFailure,
      });
      const spool = { space, key: keyOfTenant(tenant), directory: worker.temporaryDirectory, maxBytes };
      return await withSpooled(spool, results.until(lines), (spooled) =>
        takeSlot(async () => {
          const shown = { format, organizationId, widgets: widget === undefined ? widgets : [widget] };
          const pictures = await readPictures(database, actor, shown);
          return runExportWorker(
            worker,
            { ...job, ...pictures, repeated },
            {
              lines: spooled,
              language: region.locale === readersLocale ? input.language : region.locale,
              signal,
            },
          );
        }),
      );
    } finally {
      results.end();
    }
  });
  await dependencies.accessLog.record({
    action: 'dashboard.exported',
    actor,
    organizationId,
    subjectId: dashboard.id,
    details: { format, ...(widgetId !== undefined && { widgetId }) },
  });
  // Otherwise, a personal dashboard would take the data of an organization away without an entry.
  for (const { id: subjectId, organizationId: of } of foreign.values())
    await dependencies.accessLog.record({
      action: 'report.exported',
      actor,
      organizationId: of,
      subjectId,
      details: { format },
    });
  const title = widget && (nameOfContent(widget) ?? titleOf({ widget, line: undefined }));
  return { name: title ?? name, file };
}

const invalidTimeZone = (): AtriumError =>
  new AtriumError('invalid_parameters', undefined, {
    faults: [{ pointer: '/time-zone', code: 'time_zone', message: 'must be the name of a time zone' }],
  });
