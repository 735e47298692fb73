import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { ParameterValue } from '#contract/reports/reports.ts';
import { bindingsOf } from '#shared/dashboard-filters/bindings.ts';
import {
  filtersOfWidgets,
  isBuiltIn,
  labelOf,
  type FilterDefinition,
} from '#shared/dashboard-filters/definitions.ts';
import {
  filtersOfLines,
  type DashboardFilter,
  type FilteredLine,
} from '#shared/dashboard-filters/filter-list.ts';
import { valueOf, valuesOfReport, type GivenValues } from '#shared/dashboard-filters/values.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { collator } from '#shared/region/intl.ts';
import {
  isBoolean,
  knownRepetitions,
  maxRepetitions,
  type NotRepeated,
} from '#shared/sections/repetitions.ts';
import type { Section } from '#shared/sections/structure.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { requireReport } from '../../reports/access.ts';
import { listParameterValues } from '../../reports/runs/allowed-values.ts';
import { runRequiredReport } from '../../reports/runs/runs.ts';
import { readRows } from '../../results/cached-result.ts';
import type { DashboardResultDependencies } from './results.ts';

/** A value that a section is shown for. */
export interface Repetition {
  readonly filter: string;
  readonly value: string;
  /** Whether the value is written as yes or no. */
  readonly isOfBoolean: boolean;
}

/** What there is to say about the repetitions of a section, for the process that knows the language of the reader. */
export type RepetitionNote =
  | { readonly kind: 'once'; readonly reason: NotRepeated; readonly label: string }
  | { readonly kind: 'repeated'; readonly shownCount: number; readonly count: number; readonly label: string }
  | {
      readonly kind: 'limited';
      readonly shownCount: number;
      readonly count: number;
      readonly maxCount: number;
    };

/** How a section is repeated. */
export interface RepeatedSection {
  /** Empty if it isn't repeated, and is shown once. */
  readonly repetitions: readonly Repetition[];
  readonly isRepeated: boolean;
  readonly note: RepetitionNote;
}

/**
 * Returns how a section is repeated for the values of a filter: those that are chosen, or else all that can be, as on the page. The
 * actor must have access to the dashboard; the access to the reports that list the values is checked.
 */
export async function findRepetitions(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  {
    section: { widgets: inside, repeatedBy },
    widgets,
    ...context
  }: {
    readonly section: Pick<Section<Widget>, 'widgets'> & { readonly repeatedBy: string };
    /** All widgets of the dashboard. */
    readonly widgets: readonly Widget[];
    readonly values: GivenValues;
    readonly calendar: Calendar;
    readonly signal: AbortSignal;
  },
): Promise<RepeatedSection> {
  const { filters: definitions } = filtersOfWidgets(widgets);
  const filter = await findFilter(dependencies, actor, repeatedBy, inside, definitions);
  const label = filter === undefined ? repeatedBy : labelOf(filter);
  const found =
    knownRepetitions(filter, repeatedBy, context.values) ??
    (filter === undefined
      ? 'unknown'
      : await listRepetitions(dependencies, actor, filter, { ...context, definitions }));
  if (typeof found === 'string')
    return { repetitions: [], isRepeated: false, note: { kind: 'once', reason: found, label } };
  const shown = found.slice(0, maxRepetitions);
  return {
    repetitions: shown.map((value) => ({ filter: repeatedBy, value, isOfBoolean: isBoolean(filter) })),
    isRepeated: true,
    note: { kind: 'repeated', shownCount: shown.length, count: found.length, label },
  };
}

/** Returns a filter that the dashboard defines, or that is a parameter of the reports in the section. */
async function findFilter(
  { database }: DashboardResultDependencies,
  actor: Actor,
  name: string,
  inside: readonly Widget[],
  definitions: readonly FilterDefinition[],
): Promise<DashboardFilter | undefined> {
  const lines: FilteredLine[] = [];
  for (const { id, reportId, config } of inside) {
    if (isBuiltIn(reportId)) continue;
    const report = await requireReport(database, actor, reportId).catch(ignoreProblem);
    if (report === undefined) continue;
    const parameters = report.content.parameters.map(({ allowed, ...parameter }) => ({
      ...parameter,
      hasAllowed: allowed?.query !== undefined || allowed?.values !== undefined,
    }));
    lines.push({ widgetIds: [id], reportId, parameters, config });
  }
  return filtersOfLines(lines, definitions).find((each) => each.name === name);
}

interface ListContext {
  readonly values: GivenValues;
  readonly calendar: Calendar;
  readonly signal: AbortSignal;
  readonly definitions: readonly FilterDefinition[];
}

/** Returns the values that a filter can have; `unlisted` if there is no list, or if the actor can't have it. */
async function listRepetitions(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  filter: DashboardFilter,
  context: ListContext,
): Promise<readonly string[] | NotRepeated> {
  const listed = filter.definition?.values;
  if (listed !== undefined && 'fixed' in listed) return listed.fixed;
  const source = filter.sources.find(({ hasAllowed }) => hasAllowed);
  const { values, calendar, signal } = context;
  try {
    if (listed !== undefined) return await valuesOfColumn(dependencies, actor, listed, filter, context);
    if (source === undefined) return 'unlisted';
    const others = source.bindings.filter((binding) => binding.filter !== filter.name);
    const given = valuesOfReport(others, source.parameters, values, calendar).values;
    const { reportId, parameter } = source;
    const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, textOf(value)]));
    return (
      (await listParameterValues(dependencies, actor, { reportId, parameter, texts }, signal)) ?? 'unlisted'
    );
  } catch (error) {
    return ignoreProblem(error) ?? 'unlisted';
  }
}

const textOf = (value: ParameterValue): string | readonly string[] =>
  typeof value === 'object' ? (value ?? '') : String(value);

/** Returns the distinct values of a column of a report, sorted. Other filters apply if this one depends on them. */
async function valuesOfColumn(
  dependencies: DashboardResultDependencies,
  actor: Actor,
  { reportId, column }: { readonly reportId: string; readonly column: string },
  filter: DashboardFilter,
  { values, calendar, signal, definitions }: ListContext,
): Promise<readonly string[] | NotRepeated> {
  const report = await requireReport(dependencies.database, actor, reportId);
  const { parameters } = report.content;
  const limiting = definitions.filter(({ name }) => filter.definition?.dependsOn?.includes(name) === true);
  const given = Object.fromEntries(
    limiting.flatMap((definition) => {
      const value = valueOf(values, definition.name, definition);
      return value === undefined ? [] : [[definition.name, value] as const];
    }),
  );
  const bindings = bindingsOf({}, parameters, limiting);
  const known = valuesOfReport(bindings, parameters, given, calendar).values;
  const { result } = await runRequiredReport(dependencies, actor, report, {
    parameters: known,
    pointer: '',
    isForced: false,
    signal,
  });
  try {
    const index = result.columns.findIndex(({ name }) => name === column);
    const texts = new Set(
      readRows(result).flatMap((row) => {
        const value = row[index];
        if (value === null || value === undefined) return [];
        return typeof value === 'string' ? value : JSON.stringify(value);
      }),
    );
    return [...texts].toSorted(collator({ numeric: true }).compare);
  } finally {
    result.release();
  }
}

/** Returns undefined for a problem that readers of a page would see there; other errors are thrown. */
function ignoreProblem(error: unknown): undefined {
  if (error instanceof AtriumError) return undefined;
  throw error;
}
