import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Report } from '#contract/reports/reports.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { ColumnReference, QueryStructure } from '#shared/query-builder/structure.ts';
import { call } from '../../../app/api.ts';
import type { Builder } from '../context.ts';

/** Where a query runs. */
type Place = Pick<Builder, 'organizationId' | 'dataSourceId'>;
type Runnable = Pick<Report, 'query' | 'parameters'>;

/** The result of a query with the defaults of its parameters. It is cancelled when nothing shows it any longer. */
export const builtResultQuery = ({ organizationId, dataSourceId }: Place, runnable: Runnable | undefined) =>
  queryOptions({
    queryKey: ['built-results', organizationId, dataSourceId, runnable?.query, runnable?.parameters],
    queryFn:
      runnable === undefined
        ? skipToken
        : ({ signal }): Promise<ReportResult> =>
            call('POST /api/reports/preview', {
              body: { organizationId, dataSourceId, ...runnable },
              signal,
            }),
    staleTime: 300_000,
    retry: false,
  });

/** Returns a structure as a query that can run; undefined while something in it is missing. */
export function runnableOf(structure: QueryStructure, dialect: Builder['dialect']): Runnable | undefined {
  const generated = generateQuery(structure, dialect);
  return 'query' in generated
    ? { query: generated.query.sql, parameters: [...generated.query.parameters] }
    : undefined;
}

/** The rows that a list of values shows. */
export const maxListedValues = 200;

/** Returns the query for the values of a column, the most frequent first, each with its number of rows. */
export function valuesOf(
  { table, joins, customColumns, timeZone }: QueryStructure,
  column: ColumnReference,
  search: string,
): QueryStructure {
  return {
    table,
    ...(joins && { joins }),
    ...(customColumns && { customColumns }),
    filters: [
      { column, operator: 'is_not_empty' },
      ...(search === '' ? [] : [{ column, operator: 'contains', text: search } as const]),
    ],
    groups: [{ column, name: 'value' }],
    measures: [{ aggregate: 'count', name: 'rows' }],
    sort: [{ name: 'rows', isDescending: true }, { name: 'value' }],
    limit: maxListedValues,
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** Returns the query for the lowest and the highest value of a column. */
export function rangeOf(
  { table, joins, customColumns, timeZone }: QueryStructure,
  column: ColumnReference,
): QueryStructure {
  return {
    table,
    ...(joins && { joins }),
    ...(customColumns && { customColumns }),
    measures: [
      { aggregate: 'min', column, name: 'lowest' },
      { aggregate: 'max', column, name: 'highest' },
    ],
    ...(timeZone !== undefined && { timeZone }),
  };
}
