import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ExploreTarget } from '#contract/explore.ts';
import { quoteName } from '#shared/sql/names.ts';
import { trimStatement } from '#shared/sql/statement.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { requireDataSource } from '../data-sources/access.ts';
import type { QueryParameter } from '../engine/parameter-casts.ts';
import { findHiddenColumns } from '../models/hidden.ts';
import { requireReport } from '../reports/access.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';
import { prepareQuery } from '../reports/runs/runs.ts';
import { readRows } from '../results/cached-result.ts';
import type { Result, ResultQuery } from '../results/results.ts';
import type { BoundSql } from './bound-sql.ts';

/** Rows that the actor may explore. */
export interface Explored {
  /** What follows FROM in a query of the rows. */
  readonly from: string;
  /** The parameters of the report that are in `from`. */
  readonly parameters: readonly QueryParameter[];
  /** The columns that can be explored: those with a name of their own that authors haven't hidden. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Runs a query of Atrium's own, and returns its rows as they are. Release the result. */
  run(query: BoundSql, limits?: ResultQuery['limits']): Promise<Result>;
}

/** Like for a report with the default cache time. */
const tableCacheSeconds = 60;

/**
 * Returns what a target names. A table requires the editor role or higher, like browsing it; the result of a report requires
 * what running it does. Throws `not_found`, `forbidden`, and the problems of queries.
 */
export async function requireExplored(
  dependencies: ResultDependencies,
  actor: Actor,
  target: ExploreTarget,
  signal: AbortSignal,
): Promise<Explored> {
  const { isHidden, maxAgeSeconds, ...found } = await findRows(dependencies, actor, target, signal);
  noteExplored(dependencies, actor, found.query);
  const run: Explored['run'] = ({ sql, parameters }, limits) => {
    const query = { ...found.query, sql, parameters: [...found.query.parameters, ...parameters] };
    const options = { maxAgeMs: maxAgeSeconds * 1_000, signal };
    return dependencies.getResult({ ...query, ...(limits && { limits }) }, options);
  };
  const header = await run({ sql: `SELECT *\nFROM ${found.from}\nLIMIT 0`, parameters: [] });
  header.release();
  return {
    from: found.from,
    parameters: found.query.parameters,
    columns: explorable(header.columns, isHidden),
    run,
  };
}

function noteExplored(
  { accessLog }: ResultDependencies,
  actor: Actor,
  { organizationId, reportId, source }: FoundRows['query'],
): void {
  if (reportId === undefined)
    accessLog.note({ action: 'data_source.queried', actor, organizationId, subjectId: source.id });
  else accessLog.note({ action: 'report.run', actor, organizationId, subjectId: reportId });
}

/** Returns the rows of a query with a single row, as the engine writes them. */
export async function readRow(explored: Explored, query: BoundSql): Promise<readonly unknown[]> {
  const result = await explored.run(query);
  try {
    return readRows(result)[0] ?? [];
  } finally {
    result.release();
  }
}

interface FoundRows {
  readonly from: string;
  readonly query: Omit<ResultQuery, 'sql'>;
  readonly isHidden: (column: string) => boolean;
  readonly maxAgeSeconds: number;
}

function findRows(
  dependencies: ResultDependencies,
  actor: Actor,
  { reportId, dataSourceId, table, schema, parameters }: ExploreTarget,
  signal: AbortSignal,
): Promise<FoundRows> {
  if (reportId !== undefined && dataSourceId === undefined && table === undefined)
    return findReportRows(dependencies, actor, { reportId, parameters }, signal);
  if (reportId === undefined && dataSourceId !== undefined && table !== undefined)
    return findTableRows(dependencies, actor, { dataSourceId, schema, name: table });
  throw invalidBody({
    pointer: '/target',
    code: 'required',
    message: 'must have either `reportId`, or `dataSourceId` and `table`',
  });
}

async function findTableRows(
  { database, findSource }: ResultDependencies,
  actor: Actor,
  table: { readonly dataSourceId: string; readonly schema: string | undefined; readonly name: string },
): Promise<FoundRows> {
  const { dataSourceId, schema, name } = table;
  const { organizationId } = await requireDataSource(database, actor, dataSourceId, 'data_source.use');
  const source = await findSource(database, organizationId, dataSourceId);
  if (source === undefined) throw notFound();
  return {
    from: [schema, name].flatMap((part) => (part === undefined ? [] : [quoteName(part)])).join('.'),
    query: { organizationId, requesterId: actor.userId, source, parameters: [] },
    isHidden: await findHiddenColumns(database, dataSourceId, table),
    maxAgeSeconds: tableCacheSeconds,
  };
}

/** The query of a report is one SELECT; the engine refuses text that closes the parenthesis to start another statement. */
async function findReportRows(
  dependencies: ResultDependencies,
  actor: Actor,
  { reportId, parameters }: { reportId: string; parameters: ExploreTarget['parameters'] },
  signal: AbortSignal,
): Promise<FoundRows> {
  const report = await requireReport(dependencies.database, actor, reportId);
  const options = { parameters, pointer: '/target/parameters', signal };
  const { sql, ...query } = await prepareQuery(dependencies, actor, report, options);
  return {
    from: `(\n${trimStatement(sql)}\n) AS result`,
    query,
    isHidden: () => false,
    maxAgeSeconds: report.content.cacheSeconds,
  };
}

function explorable(columns: readonly Column[], isHidden: FoundRows['isHidden']): Map<string, Column> {
  const byName = Map.groupBy(columns, ({ name }) => name);
  return new Map(
    [...byName].flatMap(([name, [column, ...others]]) =>
      column === undefined || others.length > 0 || isHidden(name) ? [] : [[name, column]],
    ),
  );
}

/** Returns a column that can be explored. Throws `invalid_body` if there is none of that name. */
export function requireColumn({ columns }: Explored, name: string, pointer: string): Column {
  const column = columns.get(name);
  if (column !== undefined) return column;
  throw new AtriumError('invalid_body', `There is no column “${name}” that can be explored.`, {
    faults: [{ pointer, code: 'column', message: 'is not a column that can be explored' }],
  });
}
