import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ParameterValue } from '#contract/reports/reports.ts';
import { bindingsOf } from '#shared/dashboard-filters/bindings.ts';
import { valueOf, valuesOfReport } from '#shared/dashboard-filters/values.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { collator } from '#shared/region/intl.ts';
import { call } from '../../app/api.ts';
import { allowedValuesQuery, reportQuery } from '../../reports/queries.ts';
import { searchValueOf } from '../../reports/parameters/search.ts';
import type { Search, SearchValue } from '../../ui/browser/search.ts';
import { cellText } from '../../ui/text/cell-text.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { allowedSourceOf } from './filters.ts';

/** What the values to choose from depend on, apart from the filter. */
export interface ValuesContext {
  readonly filters: readonly DashboardFilter[];
  readonly values: Search;
  readonly calendar: Omit<Calendar, 'now'>;
}

/** Whether a filter has a list of values to choose from. */
export const hasValues = (filter: DashboardFilter): boolean =>
  filter.definition?.values !== undefined || allowedSourceOf(filter) !== undefined;

/** The names of the filters whose values limit those of a filter. */
export function limitingFilters(filter: DashboardFilter): ReadonlySet<string> {
  if (filter.definition?.values !== undefined) return new Set(filter.definition.dependsOn);
  const source = allowedSourceOf(filter);
  const others = source?.bindings.filter((binding) => binding.filter !== filter.name) ?? [];
  return new Set([...(filter.definition?.dependsOn ?? []), ...others.map((binding) => binding.filter)]);
}

/** The values to choose from. */
export interface ListedValues {
  readonly items: readonly string[];
  /** How many rows of a report they are from, if its row limit left some out. */
  readonly cutOffAt?: number;
}

/** The values that a filter can have, limited by those of the filters that it depends on; undefined if any is allowed. */
export const filterValuesQuery = (client: QueryClient, filter: DashboardFilter, context: ValuesContext) =>
  queryOptions({
    queryKey: [
      'filter-values',
      filter.name,
      filter.definition?.values ?? sourceKey(filter),
      limitsOf(filter, context),
    ],
    queryFn: () => listValues(client, filter, context),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });

async function listValues(
  client: QueryClient,
  filter: DashboardFilter,
  context: ValuesContext,
): Promise<ListedValues | undefined> {
  const definition = filter.definition?.values;
  if (definition !== undefined && 'fixed' in definition) return { items: definition.fixed };
  if (definition !== undefined)
    return valuesOfColumn(client, definition, { ...context, values: limitsOf(filter, context) });
  const source = allowedSourceOf(filter);
  if (source === undefined) return undefined;
  const others = source.bindings.filter((binding) => binding.filter !== filter.name);
  const now = { ...context.calendar, now: Date.now() };
  const given = valuesOfReport(others, source.parameters, context.values, now).values;
  const query = allowedValuesQuery(source.reportId, source.parameter, asSearch(given));
  const { items } = await client.query(query);
  return items && { items };
}

const sourceKey = (filter: DashboardFilter): unknown => {
  const source = allowedSourceOf(filter);
  return [source?.reportId, source?.parameter];
};

/** Returns the values of the filters that limit a filter. */
function limitsOf(filter: DashboardFilter, { filters, values }: ValuesContext): Search {
  const names = limitingFilters(filter);
  return Object.fromEntries(
    filters.flatMap(({ name, definition }): [string, SearchValue][] => {
      const value = valueOf(values, name, definition);
      return names.has(name) && value !== undefined ? [[name, value]] : [];
    }),
  );
}

const asSearch = (values: Readonly<Record<string, ParameterValue>>): Search =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, searchValueOf(value)]));

/** Returns the distinct values of a column of a report's result, sorted. */
async function valuesOfColumn(
  client: QueryClient,
  { reportId, column }: { readonly reportId: string; readonly column: string },
  { filters, values, calendar }: ValuesContext,
): Promise<ListedValues> {
  const { report } = await client.query({ ...reportQuery(reportId), staleTime: 60_000 });
  const definitions = filters.flatMap(({ name, definition }) =>
    definition !== undefined && Object.hasOwn(values, name) ? [definition] : [],
  );
  const now = { ...calendar, now: Date.now() };
  const bindings = bindingsOf({}, report.parameters, definitions);
  const parameters = valuesOfReport(bindings, report.parameters, values, now).values;
  const result = await call('POST /api/reports/{reportId}/run', {
    params: { reportId },
    body: { parameters },
  });
  const index = result.columns.findIndex(({ name }) => name === column);
  const texts = new Set(result.rows.flatMap((row) => cellText(row[index]) ?? []));
  return {
    items: [...texts].toSorted(collator({ numeric: true }).compare),
    ...(result.isCutOff && { cutOffAt: result.rowCount }),
  };
}
