import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Report } from '#contract/reports/reports.ts';
import { ownTitleOf } from '#charts/widgets/title.ts';
import { bindingsOf, dependsOnFilters, type Binding } from '#shared/dashboard-filters/bindings.ts';
import { filtersOfWidgets, isBuiltIn, type FilterDefinition } from '#shared/dashboard-filters/definitions.ts';
import { valuesOfReport } from '#shared/dashboard-filters/values.ts';
import type { Calendar } from '#shared/dates/days.ts';
import type { Layout } from '#shared/grid/layout.ts';
import { structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError, toProblem } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { noteRun, type ResultDependencies } from '../../reports/runs/allowed-values.ts';
import { asUrlError } from '../../reports/runs/parameter-values.ts';
import { getCalendar } from '../../organizations/organizations.ts';
import { requireReport, type RequiredReport } from '../../reports/access.ts';
import { findDeletedReportName } from '../../reports/names.ts';
import { toResultJson, type ReportRun, type ResultJson } from '../../reports/runs/result-json.ts';
import { runRequiredReport } from '../../reports/runs/runs.ts';
import { requireDashboard } from '../access/access.ts';
import { contentOf } from '../content/content.ts';
import { noteDashboardView } from '../views.ts';
import { linesOf, maxAtOnce } from './lines.ts';
import { readShownToOthers, type ShownToOthers } from './withheld.ts';

/** A report of a dashboard, and the widgets that show it with the same filters. */
interface ShownReport {
  readonly reportId: string;
  /** The config of the first of its widgets, which says what filters apply. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly widgetIds: string[];
  /** Whether each of its widgets has a title of its own, so that none shows that of the report. */
  readonly hasOwnTitles: boolean;
}

/** What a line says besides the result. Others, who see it with a link, don't learn which report it is. */
type LineHead = Omit<WidgetResult, 'reportId'> & Partial<Pick<WidgetResult, 'reportId'>>;

/** Returns the line of a report that was run, for the widgets that show it. */
export type ToLine = (shown: LineHead, run: ReportRun, report: RequiredReport) => ResultJson;

const toWholeLine: ToLine = (shown, run) =>
  toResultJson(run, `${JSON.stringify(shown).slice(0, -1)},"result":`, '}\n');

/** A report that is not of the organization of the dashboard that shows it. */
export type ForeignReport = Pick<RequiredReport, 'id' | 'organizationId'>;

export interface DashboardResultDependencies extends ResultDependencies {
  readonly clock: Clock;
}

/**
 * Runs the reports of a dashboard that the actor may see, or of some of its widgets, and returns a line of NDJSON for each as soon as it is ready. Those at
 * the top of the grid start first. Access is checked for each report. Throws `not_found` before the first line.
 */
export async function runDashboard(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  input: {
    readonly id: string;
    /** The widgets whose reports are run; all if they are left out. */
    readonly widgetIds?: ReadonlySet<string>;
    readonly values: Readonly<Record<string, string | readonly string[]>>;
    readonly isForced: boolean;
    /** Whether it is counted as a view; an export has an entry of its own. */
    readonly isView: boolean;
    /** Called for each report that is not of the organization of the dashboard; by default, its log counts the run. */
    readonly onForeignReport?: (report: ForeignReport) => void;
    readonly signal: AbortSignal;
    /** Called with an unexpected error; the line of the report doesn't reveal it. */
    readonly onFailure: (error: unknown) => void;
    /** Returns what is shown of the problem of a report; by default, everything. */
    readonly toShownError?: (error: AtriumError) => AtriumError;
    /** Whether others see the results, with the access of the actor, who made a link for them: see `readWithheld`. */
    readonly isForOthers?: boolean;
    /** Returns the line of a report that was run, which releases its result; by default, with all of its rows. */
    readonly toLine?: ToLine;
  },
): Promise<AsyncGenerator<string | Uint8Array>> {
  const dashboard = await requireDashboard(dependencies.database, actor, input.id);
  if (input.isView) noteDashboardView(dependencies, actor, dashboard);
  const { widgets } = contentOf(dashboard);
  const { filters } = filtersOfWidgets(widgets);
  const others =
    input.isForOthers === true
      ? await readShownToOthers(dependencies.database, dashboard, actor.userId, widgets)
      : undefined;
  const calendar = await getCalendar(dependencies.database, dependencies.clock, dashboard.organizationId);
  const withRememberedSources = { ...dependencies, findSource: rememberSources(dependencies) };
  const findReport = rememberReports(dependencies, actor);
  const run = (report: ShownReport) =>
    runShown(withRememberedSources, actor, report, {
      ...input,
      findReport,
      others,
      organizationId: dashboard.organizationId,
      filters,
      calendar,
    });
  return linesOf(listShown(widgets, input.widgetIds, others), run, (report) =>
    toProblemLine(headOf(report, others), tooLarge),
  );
}

const tooLarge = toProblem(
  new AtriumError(
    'dashboard_too_large',
    'The results before this one on the dashboard are too large to show more at once. Use a filter, or move widgets to another tab or dashboard.',
  ),
);

/** Others have no use for the ID of a report. */
const headOf = ({ widgetIds, reportId }: ShownReport, others: ShownToOthers | undefined): LineHead =>
  others === undefined ? { widgetIds, reportId } : { widgetIds };

const toProblemLine = (head: LineHead, problem: ReturnType<typeof toProblem>): string =>
  `${JSON.stringify({ ...head, problem } satisfies LineHead)}\n`;

type PlacedWidget = {
  readonly id: string;
  readonly reportId: string;
  readonly layout: Layout;
  readonly config: Readonly<Record<string, unknown>>;
};

function listShown(
  widgets: readonly PlacedWidget[],
  only: ReadonlySet<string> | undefined,
  others: ShownToOthers | undefined,
): ShownReport[] {
  const inReadingOrder = widgetsInOrder(structureOf(widgets)).filter(
    ({ id, reportId }) => !isBuiltIn(reportId) && (only?.has(id) ?? true),
  );
  const alike = Map.groupBy(inReadingOrder, ({ id, reportId, config }) =>
    JSON.stringify([reportId, config['filters'], others?.editorsKeyOf(id)]),
  );
  const shown = [...alike.values()].flatMap((of) =>
    of.slice(0, 1).map(({ reportId, config }) => ({
      reportId,
      config,
      widgetIds: of.map(({ id }) => id),
      hasOwnTitles: of.every((widget) => ownTitleOf(widget) !== undefined),
    })),
  );
  // What shows the same report follows each other, so that it is read once.
  return [...Map.groupBy(shown, ({ reportId }) => reportId).values()].flat();
}

/** How long the widgets of a dashboard reuse what was read about a report, including the access to it, or about a data source. */
const rememberedMs = 1_000;

/** Reads a report once for all widgets that show it, since its content can be long: as many of the last ones as are run at once. */
function rememberReports(
  { database, clock }: DashboardResultDependencies,
  actor: Actor,
): (id: string) => Promise<RequiredReport> {
  const found = new Map<string, { readonly at: number; readonly report: Promise<RequiredReport> }>();
  return (id) => {
    const before = found.get(id);
    if (before !== undefined && clock() - before.at < rememberedMs) return before.report;
    found.delete(id);
    const report = requireReport(database, actor, id);
    found.set(id, { at: clock(), report });
    const [oldest] = found.keys();
    if (found.size > maxAtOnce && oldest !== undefined) found.delete(oldest);
    return report;
  };
}

/** Reads a data source once for all reports of a dashboard that query it. */
function rememberSources({
  clock,
  findSource,
}: DashboardResultDependencies): ResultDependencies['findSource'] {
  const found = new Map<string, { readonly at: number; readonly source: ReturnType<typeof findSource> }>();
  return (reader, organizationId, dataSourceId) => {
    const key = JSON.stringify([organizationId, dataSourceId]);
    const before = found.get(key);
    if (before !== undefined && clock() - before.at < rememberedMs) return before.source;
    const source = findSource(reader, organizationId, dataSourceId);
    found.set(key, { at: clock(), source });
    return source;
  };
}

async function runShown(
  dependencies: ResultDependencies,
  actor: Actor,
  report: ShownReport,
  {
    findReport,
    values: given,
    filters,
    calendar,
    organizationId,
    others,
    isForced,
    signal,
    onFailure,
    toShownError = (error) => error,
    toLine = toWholeLine,
    onForeignReport = (report) => noteRun(dependencies, actor, report),
  }: Parameters<typeof runDashboard>[2] & {
    readonly findReport: (id: string) => Promise<RequiredReport>;
    readonly filters: readonly FilterDefinition[];
    readonly calendar: Calendar;
    /** That of the dashboard. */
    readonly organizationId: string | undefined;
    /** Undefined if only the actor sees the results. */
    readonly others: ShownToOthers | undefined;
  },
): Promise<ResultJson> {
  const { database } = dependencies;
  const { reportId, config, widgetIds } = report;
  let shown = headOf(report, others);
  try {
    if (others?.findReason({ id: widgetIds[0] ?? '', reportId }) !== undefined) throw notShown();
    const found = await findReport(reportId);
    // The log of the organization of a dashboard is not that of the report, and personal dashboards have none.
    if (found.organizationId !== organizationId) onForeignReport(found);
    const { parameters } = found.content;
    const bindings = bindingsOf(config, parameters, filters);
    if (others !== undefined && dependsOnFilters(config, parameters, bindings))
      if (others.findReasonOfFilters(reportId) !== undefined) throw notShown();
    const description = describe(found.content, bindings);
    shown = {
      ...shown,
      ...(others !== undefined && report.hasOwnTitles ? withoutTitle(description) : description),
    };
    const { values, missing } = valuesOfReport(bindings, parameters, given, calendar);
    if (missing.length > 0) throw filterRequired(missing);
    const options = { parameters: values, pointer: '', isForced, signal };
    const run = await runRequiredReport(dependencies, actor, found, options);
    return toLine(shown, run, found);
  } catch (error) {
    if (!(error instanceof AtriumError)) onFailure(error);
    const known = error instanceof AtriumError ? asUrlError(error) : new AtriumError('internal');
    const deletedName =
      shown.reportName === undefined && others === undefined
        ? await findDeletedReportName(database, actor, reportId)
        : undefined;
    if (deletedName !== undefined)
      return toProblemLine({ ...shown, reportName: deletedName }, deletedProblem);
    return toProblemLine(shown, toProblem(toShownError(known)));
  }
}

/** What a line says of a report that can be read. */
type Description = Required<Pick<WidgetResult, 'reportName' | 'visualization' | 'parameters'>>;

/** Returns how a report is shown and filtered. */
function describe(
  { name, visualization, parameters }: ShownContent,
  bindings: readonly Binding[],
): Description {
  const filterOf = new Map(bindings.map(({ parameter, filter }) => [parameter, filter]));
  return {
    reportName: name,
    visualization,
    parameters: parameters.map(({ allowed, ...parameter }) => {
      const filter = filterOf.get(parameter.name);
      return {
        ...parameter,
        ...(filter !== undefined && { filter }),
        hasAllowed: allowed?.query !== undefined || allowed?.values !== undefined,
      };
    }),
  };
}

/** Leaves out what widgets with titles of their own don't show of a report. */
const withoutTitle = ({ reportName: _name, visualization, ...rest }: Description): Partial<WidgetResult> => ({
  ...rest,
  visualization: untitled(visualization),
});

const untitled = ({ title: _title, ...drawn }: Description['visualization']) => drawn;

type ShownContent = Pick<Report, 'name' | 'visualization' | 'parameters'>;

const deletedProblem = toProblem(new AtriumError('report_deleted', 'The report was deleted.'));

const notShown = (): AtriumError => new AtriumError('not_shown');

const filterRequired = (labels: readonly string[]): AtriumError =>
  new AtriumError(
    'filter_required',
    `Choose a value for ${labels.map((label) => `“${label}”`).join(' and ')} to see this.`,
  );
