import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Fault } from '#contract/problem.ts';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError, invalidFaults, notFound } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { QueriedSource } from '../data-sources/queried-sources.ts';
import { requireRole } from '../organizations/members.ts';
import type { QueryEngine } from '../engine/query-engine.ts';
import type { StreamFormat } from '../engine/worker/messages.ts';
import type { QueryParameter } from '../engine/parameter-casts.ts';
import { toQueryProblem } from '../engine/problem.ts';
import type { Reader } from '../storage/database.ts';
import { findDrawingFaults } from './visualization-faults.ts';
import { resolveParameters } from './parameter-values.ts';
import type { Flights } from '../results/in-flight.ts';
import { requireReport } from './access.ts';
import { findContentFaults, noDataSource, type ReportContent } from './content.ts';
import type { CachedResult, ResultCache } from '../results/cache.ts';

export interface RunNeeds {
  readonly database: Reader;
  readonly clock: Clock;
  readonly engine: QueryEngine;
  readonly cache: ResultCache;
  readonly flights: Flights<CachedResult>;
  /** Returns a data source of an organization, or undefined. */
  readonly findSource: (
    reader: Reader,
    organizationId: string,
    dataSourceId: string,
  ) => Promise<QueriedSource | undefined>;
}

/** A query that somebody may run, with all its values. */
interface Prepared {
  /** The id of the person who runs it. */
  readonly asker: string;
  readonly organizationId: string;
  readonly source: QueriedSource;
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  readonly cacheSeconds: number;
  /** Less than the engine's own limits, where given. */
  readonly limits?: { readonly maxRows: number; readonly maxBytes: number };
}

/** A report's answer; `faults` are why it cannot be drawn as described. */
export interface ReportAnswer {
  readonly organizationId: string;
  readonly result: CachedResult;
  readonly isFromCache: boolean;
  readonly faults: Fault[];
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined;
  /** Where in the body the parameters are; `/parameters` by default. */
  readonly pointer?: string;
  /** Whether the source is asked, however fresh the cache is. */
  readonly isForced?: boolean | undefined;
  /** By the keys of the queries that are asked for together, when each was answered: equal ones are asked once. */
  readonly together?: Map<string, Promise<number>>;
  readonly signal: AbortSignal;
}

/** Runs a report. Any member of its organization: that is asked before the cache is. Throws the problems of queries. */
export async function runReport(
  needs: RunNeeds,
  actor: Actor,
  reportId: string,
  options: RunOptions,
): Promise<ReportAnswer> {
  return runRequiredReport(needs, actor, await requireReport(needs.database, actor, reportId), options);
}

/** Runs a report that was just found to be open to the actor. Throws the problems of queries. */
export async function runRequiredReport(
  needs: RunNeeds,
  actor: Actor,
  report: {
    readonly organizationId: string;
    readonly content: Pick<
      ReportContent,
      'dataSourceId' | 'query' | 'parameters' | 'visualization' | 'cacheSeconds'
    >;
  },
  options: RunOptions,
): Promise<ReportAnswer> {
  const { organizationId, content } = report;
  const prepared = await prepare(needs, actor, organizationId, content, options);
  const { result, isFromCache } = await compute(needs, prepared, options);
  return {
    organizationId,
    result,
    isFromCache,
    faults: findDrawingFaults(content.visualization, result.columns),
  };
}

/** Returns all rows of a report as a stream, straight from the source, and its name. Any member of its organization. */
export async function exportReport(
  needs: RunNeeds,
  actor: Actor,
  reportId: string,
  format: StreamFormat,
  options: RunOptions,
): Promise<{ name: string; body: Readable }> {
  const { organizationId, content } = await requireReport(needs.database, actor, reportId);
  const { source, sql, parameters } = await prepare(needs, actor, organizationId, content, options);
  const askers = [actor.userId];
  const request = { organizationId, source: await source.describe(), sql, parameters, askers };
  try {
    const { body } = await needs.engine.stream(request, format, { signal: options.signal });
    return { name: content.name, body };
  } catch (error) {
    throw toQueryProblem(error);
  }
}

/** Runs a report that is not saved. Editor or higher. Throws `invalid_body` with every fault, and the problems of queries. */
export async function previewReport(
  needs: RunNeeds,
  actor: Actor,
  input: { organizationId: string; content: ReportContent },
  options: RunOptions,
): Promise<ReportAnswer> {
  const { organizationId, content } = input;
  await requireRole(needs.database, actor, organizationId, 'editor');
  const faults = findContentFaults(content);
  const source = await needs.findSource(needs.database, organizationId, content.dataSourceId);
  if (source === undefined) faults.unshift(noDataSource);
  if (faults.length > 0) throw invalidFaults(faults);
  const unsaved = { organizationId, content: { ...content, cacheSeconds: 0 } };
  return runRequiredReport(needs, actor, unsaved, options);
}

/** Returns the values that a parameter of a report may have; undefined: whatever fits its type. Any member. */
export async function listParameterValues(
  needs: RunNeeds,
  actor: Actor,
  input: { reportId: string; parameter: string },
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { organizationId, content } = await requireReport(needs.database, actor, input.reportId);
  const parameter = content.parameters.find(({ name }) => name === input.parameter);
  if (parameter === undefined) throw notFound();
  return listAllowed(needs, actor, organizationId, content, parameter, { signal });
}

/** How many values a query may allow: they are parsed and sought through in the server itself, at each run. */
const allowedLimits = { maxRows: 1_000, maxBytes: 256 * 1024 };

/** Whatever the report says: what is new at the source would be refused for so long. */
const maxAllowedAgeSeconds = 60;

/** How a query is asked: anew, together with others, as long as somebody waits. */
type Asking = Pick<RunOptions, 'isForced' | 'together' | 'signal'>;

async function listAllowed(
  needs: RunNeeds,
  actor: Actor,
  organizationId: string,
  { dataSourceId, cacheSeconds: ofReport }: Pick<ReportContent, 'dataSourceId' | 'cacheSeconds'>,
  { name, allowed }: ReportParameter,
  asking: Asking,
): Promise<readonly string[] | undefined> {
  if (allowed?.query === undefined) return allowed?.values;
  const source = await requireSource(needs, organizationId, dataSourceId);
  const cacheSeconds = Math.min(ofReport, maxAllowedAgeSeconds);
  const sql = allowed.query;
  const prepared = {
    asker: actor.userId,
    organizationId,
    source,
    sql,
    parameters: [],
    cacheSeconds,
    limits: allowedLimits,
  };
  const { result } = await compute(needs, prepared, asking).catch((error: unknown) => {
    throw ofAllowed(error, name);
  });
  // Sound because the engine writes an array of arrays.
  const rows = parseJson(Buffer.from(result.rowsJson).toString('utf8')) as unknown[][];
  return rows
    .filter(([value]) => value !== null)
    .map(([value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** Tells that a query failed which is not the report's own: line and column are in it. */
function ofAllowed(error: unknown, parameter: string): unknown {
  if (!(error instanceof AtriumError)) return error;
  const { code, message, extension } = error;
  const words = `The values that “${parameter}” may have cannot be listed: ${message}`;
  const isQuery = code === 'query_failed';
  return new AtriumError(code, words, {
    ...(isQuery && { extension: { ...extension, parameter } }),
    cause: error,
  });
}

async function prepare(
  needs: RunNeeds,
  actor: Actor,
  organizationId: string,
  content: Pick<ReportContent, 'dataSourceId' | 'query' | 'parameters' | 'cacheSeconds'>,
  { parameters: given = {}, pointer, ...asking }: RunOptions,
): Promise<Prepared> {
  const { dataSourceId, query: sql, cacheSeconds } = content;
  const source = await requireSource(needs, organizationId, dataSourceId);
  const parameters = await resolveParameters(
    content.parameters,
    given,
    (parameter) => listAllowed(needs, actor, organizationId, content, parameter, asking),
    pointer,
  );
  return { asker: actor.userId, organizationId, source, sql, parameters, cacheSeconds };
}

async function requireSource(
  { database, findSource }: RunNeeds,
  organizationId: string,
  dataSourceId: string,
): Promise<QueriedSource> {
  const source = await findSource(database, organizationId, dataSourceId);
  if (source === undefined)
    throw new AtriumError('query_failed', 'The data source of this report is no more.');
  return source;
}

async function compute(
  needs: RunNeeds,
  prepared: Prepared,
  { isForced = false, together, signal }: Asking,
): Promise<Computed> {
  const key = keyOf(prepared);
  const { cacheSeconds } = prepared;
  const earlier = together?.get(key);
  if (earlier !== undefined) return findOrAsk(needs, prepared, key, await earlier, signal);
  const since = isForced || cacheSeconds === 0 ? Infinity : needs.clock() - cacheSeconds * 1_000;
  const computed = findOrAsk(needs, prepared, key, since, signal);
  const answeredAt = computed.then(({ result }) => result.computedAt);
  // Those who wait for it are told; it may be nobody.
  answeredAt.catch(() => {});
  together?.set(key, answeredAt);
  return computed;
}

interface Computed {
  readonly result: CachedResult;
  readonly isFromCache: boolean;
}

/** Returns a result that is no older than `since`: a cached one, or what the source says now. */
async function findOrAsk(
  { clock, engine, cache, flights }: RunNeeds,
  { asker, organizationId, source, sql, parameters, limits }: Prepared,
  key: string,
  since: number,
  signal: AbortSignal,
): Promise<Computed> {
  const found = since === Infinity ? undefined : await cache.find(key, { since, now: clock() });
  if (found !== undefined) return { result: found, isFromCache: true };
  try {
    // People who start to wait for it later may get a turn before the person who asked first.
    const options = { asker, signal, onJoined: engine.reconsider };
    const result = await flights.join(key, options, async (flightSignal, askers) => {
      const request = { organizationId, source: await source.describe(), sql, parameters, askers, ...limits };
      const rows = await engine.run(request, { signal: flightSignal });
      const computed = { ...rows, computedAt: clock() };
      cache.put(key, computed);
      return computed;
    });
    return { result, isFromCache: false };
  } catch (error) {
    throw toQueryProblem(error);
  }
}

/** All that decides a result, and whose it is. */
const keyOf = ({
  organizationId,
  source,
  sql,
  parameters,
  limits,
}: Omit<Prepared, 'asker' | 'cacheSeconds'>): string =>
  hash('sha256', JSON.stringify([organizationId, source.version, sql, parameters, limits]), 'base64url');
