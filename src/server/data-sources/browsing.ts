import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { ConnectionTest, SourceTable } from '#contract/data-sources/data-sources.ts';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { consume } from '../base/rate-limit.ts';
import type { QueryEngine, SourceRequest } from '../engine/query-engine.ts';
import { QueryFailure } from '../engine/failure.ts';
import type { QueryRows } from '../engine/worker/messages.ts';
import { toQueryProblem } from '../engine/problem.ts';
import type { Reader } from '../storage/database.ts';
import { editSource, requireDataSource, type SourceAction } from './access.ts';
import { sourceKinds } from './kinds/registry.ts';
import { findQueriedSource, type ReachDependencies } from './queried-sources.ts';

/** Dependencies of browsing data sources. */
export interface BrowsingDependencies extends ReachDependencies {
  readonly database: Reader;
  readonly accessLog: AccessLog;
  readonly engine: Pick<QueryEngine, 'run' | 'describe'>;
}

/** Dependencies of testing data sources. */
export interface TestDependencies extends BrowsingDependencies {
  readonly engine: Pick<QueryEngine, 'run' | 'describe' | 'testConnection'>;
  /** Throws `too_many_attempts` if an organization tests connections too often. */
  readonly limitTests: (organizationId: string) => Promise<void>;
}

/** Returns a limit on connection tests for each organization, since they could be used to guess passwords. */
export function createTestLimit(): TestDependencies['limitTests'] {
  const limiter = new RateLimiterMemory({ points: 60, duration: 900 });
  return (organizationId) => consume(limiter, organizationId, 'connection tests');
}

const previewRows = 100;
const previewBytes = 2 * 1024 * 1024;

/** Lists the tables of a data source with their columns. Requires permission to query it. */
export async function listSourceTables(
  dependencies: BrowsingDependencies,
  actor: Actor,
  id: string,
  signal: AbortSignal,
): Promise<SourceTable[]> {
  const { request } = await open(dependencies, actor, id, 'data_source.use');
  return [...(await asProblem(dependencies.engine.describe(request, { signal })))];
}

/** Returns the first rows of a table. Requires permission to query the data source. Throws `not_found` if the table doesn't exist. */
export async function previewSourceTable(
  dependencies: BrowsingDependencies,
  actor: Actor,
  { id, schema, table }: { readonly id: string; readonly schema: string | undefined; readonly table: string },
  signal: AbortSignal,
): Promise<QueryRows> {
  const { kind, request } = await open(dependencies, actor, id, 'data_source.use');
  const { organizationId } = request;
  dependencies.accessLog.note({ action: 'data_source.queried', actor, organizationId, subjectId: id });
  const { quoteName } = sourceKinds[kind];
  const name = [schema, table].flatMap((part) => (part === undefined ? [] : [quoteName(part)])).join('.');
  // One more row than is shown, to find out whether there are more.
  const sql = `SELECT * FROM ${name} LIMIT ${previewRows + 1}`;
  try {
    return await dependencies.engine.run(
      { ...request, sql, maxRows: previewRows, maxBytes: previewBytes },
      { signal },
    );
  } catch (error) {
    const isSqlError = error instanceof QueryFailure && error.code === 'sql_error';
    if (isSqlError && !(await hasTable(dependencies, request, { schema, table }, signal)))
      throw new AtriumError('not_found', `The data source has no table ${table}.`);
    throw toQueryProblem(error);
  }
}

async function hasTable(
  { engine }: BrowsingDependencies,
  request: SourceRequest,
  { schema, table }: { readonly schema: string | undefined; readonly table: string },
  signal: AbortSignal,
): Promise<boolean> {
  const tables = await asProblem(engine.describe(request, { signal }));
  return tables.some((one) => one.name === table && (schema === undefined || one.schema === schema));
}

/** Tests the connection to a data source and returns its faults and risks. Requires the permission to change it. Throws `too_many_attempts`. */
export async function testDataSource(
  dependencies: TestDependencies,
  actor: Actor,
  id: string,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const { organizationId } = await requireDataSource(dependencies.database, actor, id, editSource);
  await dependencies.limitTests(organizationId);
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const { request } = await open(dependencies, actor, id, editSource);
    const warnings = await asProblem(dependencies.engine.testConnection(request, { signal }));
    return { isReachable: true, warnings: [...warnings], durationMs: durationMs() };
  } catch (error) {
    if (!(error instanceof AtriumError) || error.code === 'not_found' || error.code === 'queries_busy')
      throw error;
    return { isReachable: false, fault: error.message, warnings: [], durationMs: durationMs() };
  }
}

async function open(
  dependencies: BrowsingDependencies,
  actor: Actor,
  id: string,
  action: SourceAction,
): Promise<{ readonly kind: DataSourceKind; readonly request: SourceRequest }> {
  const { organizationId, kind } = await requireDataSource(dependencies.database, actor, id, action);
  const queried = await findQueriedSource(dependencies, dependencies.database, organizationId, id);
  if (queried === undefined) throw notFound();
  return {
    kind,
    request: {
      organizationId,
      source: await queried.describe(),
      sourceId: queried.id,
      requesterIds: [actor.userId],
    },
  };
}

const asProblem = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw toQueryProblem(error);
  });
