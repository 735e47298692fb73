import { hash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { keyOfOrganization } from '../base/tenant.ts';
import type { QueryParameter } from '../engine/parameter-casts.ts';
import { toQueryProblem } from '../engine/problem.ts';
import type { QueryEngine } from '../engine/query-engine.ts';
import type { SourceDescription } from '../engine/source-description.ts';
import { createResultCache } from './cache.ts';
import { isSmall, toCachedResult, type CachedResult } from './cached-result.ts';
import { createInFlight } from './in-flight.ts';
import { createMemoryBudget } from './memory-budget.ts';

/** A data source that can be queried. */
export interface QueriedSource {
  readonly id: string;
  /** A line of text that changes whenever Atrium has changed the connection or the tables. */
  readonly version: string;
  /**
   * Returns everything that the query engine needs to query the source. It decrypts the password and resolves the host, so
   * it is called only when a query is about to run. Throws `source_unreachable` if either fails.
   */
  describe(): Promise<SourceDescription>;
}

/** A query with all its values. The caller has checked that the person may run it. */
export interface ResultQuery {
  readonly organizationId: string;
  /** The id of the person who waits for it. */
  readonly requesterId: string;
  /** The saved report whose query it is. */
  readonly reportId?: string | undefined;
  readonly source: QueriedSource;
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** These lower the engine's own limits. */
  readonly limits?: { readonly maxRows: number; readonly maxBytes: number };
}

export interface ResultOptions {
  /** The maximum age of a cached result. With 0, only a result that was computed during this request is returned. */
  readonly maxAgeMs: number;
  /** Aborted when the client disconnects. It identifies the request: equal queries with the same signal run once. */
  readonly signal: AbortSignal;
}

/** A result whose memory is reserved until it was sent or the client has disconnected. */
export interface Result extends CachedResult {
  readonly isFromCache: boolean;
  /** Call this when the result was sent. Calling it again does nothing. */
  release(): void;
}

/** The only way to get the result of a query. */
export interface Results {
  /**
   * Returns a cached result, or the result of an equal query that is already running, or runs the query. A large result waits
   * for memory if clients have not read other results yet. Throws the problems of queries.
   */
  getResult(query: ResultQuery, options: ResultOptions): Promise<Result>;
  /** Removes the results that are cached on disk. */
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;

/** Returns results that are cached in memory and under `directory`; the limits are in bytes. */
export function createResults({
  engine,
  clock,
  directory,
  maxMemoryBytes = 64 * mebibyte,
  maxDiskBytes = 1024 * mebibyte,
  maxLeasedBytes = 512 * mebibyte,
  onFound = () => {},
  onDiskFailure,
}: {
  readonly engine: Pick<QueryEngine, 'run' | 'reconsider'>;
  readonly clock: Clock;
  readonly directory: string;
  readonly maxMemoryBytes?: number;
  readonly maxDiskBytes?: number;
  readonly maxLeasedBytes?: number;
  /** Called for each result, with whether it was cached. */
  readonly onFound?: ((isFromCache: boolean) => void) | undefined;
  /** Called when the files of cached results can't be written or read, once until that works again. */
  readonly onDiskFailure?: ((error: unknown) => void) | undefined;
}): Results {
  const cache = createResultCache({ directory, maxMemoryBytes, maxDiskBytes, onDiskFailure });
  const inFlight = createInFlight<CachedResult>();
  const budget = createMemoryBudget(maxLeasedBytes);
  let lastSequence = 0;
  /** For each request that has run a query, by its signal, the last sequence number before its first query. */
  const queriedAfter = new WeakMap<AbortSignal, number>();

  async function getResult(query: ResultQuery, options: ResultOptions): Promise<Result> {
    const key = keyOf(query);
    const lease = toLease(await findOrRun(query, key, options), query, options.signal);
    return 'release' in lease ? lease : waitForLease(lease, key, query, options.signal);
  }

  /** Returns the result from the cache or the source, before its memory is reserved. */
  async function findOrRun(
    query: ResultQuery,
    key: string,
    { maxAgeMs, signal }: ResultOptions,
  ): Promise<FoundResult> {
    const now = clock();
    const found = await cache.find(
      key,
      ({ computedAt, sequence }) =>
        // A result from the future was computed while the clock was ahead: its age is unknown.
        (maxAgeMs > 0 && computedAt >= now - maxAgeMs && computedAt <= now) ||
        sequence > (queriedAfter.get(signal) ?? Infinity),
    );
    onFound(found !== undefined);
    if (found !== undefined) return { result: found, isFromCache: true };
    if (!queriedAfter.has(signal)) queriedAfter.set(signal, lastSequence);
    return { result: await run(query, key, signal), isFromCache: false };
  }

  async function run(query: ResultQuery, key: string, signal: AbortSignal): Promise<CachedResult> {
    const { organizationId, requesterId, reportId, source, sql, parameters, limits } = query;
    try {
      // People who join later may get a turn before the person who came first.
      const options = { requesterId, signal, onJoined: engine.reconsider };
      return await inFlight.join(key, options, async (runSignal, requesterIds) => {
        const described = { source: await source.describe(), sourceId: source.id, reportId };
        const request = { organizationId, ...described, sql, parameters, requesterIds };
        const rows = await engine.run({ ...request, ...limits }, { signal: runSignal });
        lastSequence += 1;
        const result = toCachedResult(rows, { computedAt: clock(), sequence: lastSequence });
        cache.put(key, result);
        return result;
      });
    } catch (error) {
      throw toQueryProblem(error);
    }
  }

  /** Reserves memory. If there isn't enough, returns only the facts that are needed to wait, so that the bytes can be freed. */
  function toLease(
    { result, isFromCache }: FoundResult,
    { organizationId }: ResultQuery,
    signal: AbortSignal,
  ): Result | Waiting {
    if (isSmall(result)) return { ...result, isFromCache, release: () => {} };
    const release = budget.take(keyOfOrganization(organizationId), result.sizeBytes);
    if (release !== undefined) return { ...result, isFromCache, release: releasedBy(signal, release) };
    const { sizeBytes, sequence } = result;
    return { sizeBytes, sequence, isFromCache };
  }

  /** Waits for memory. In the meantime, the result is only in the cache, which moves large ones to disk. */
  async function waitForLease(
    { sizeBytes, sequence, isFromCache }: Waiting,
    key: string,
    { organizationId }: ResultQuery,
    signal: AbortSignal,
  ): Promise<Result> {
    const release = await budget
      .wait(keyOfOrganization(organizationId), sizeBytes, signal)
      .catch((error: unknown) => {
        throw toQueryProblem(error);
      });
    const result = await cache.find(key, (age) => age.sequence >= sequence);
    if (result !== undefined) return { ...result, isFromCache, release: releasedBy(signal, release) };
    release();
    throw new AtriumError(
      'queries_busy',
      'The server is sending too many large results and had to discard this one. Try again in a moment.',
    );
  }

  return { getResult, close: cache.close };
}

interface FoundResult {
  readonly result: CachedResult;
  readonly isFromCache: boolean;
}

type Waiting = Pick<Result, 'sizeBytes' | 'sequence' | 'isFromCache'>;

function releasedBy(signal: AbortSignal, release: () => void): () => void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
  return release;
}

/** Above this length, a key is hashed, so that the cache does not hold long queries. Hashing takes longer than comparing. */
const maxKeyLength = 1_000;

/** Returns everything that determines a result, and its organization. Only the SQL can contain line breaks. */
function keyOf({ organizationId, source, sql, parameters, limits }: ResultQuery): string {
  const key = `${JSON.stringify([organizationId, parameters, limits])}\n${source.version}\n${sql}`;
  return key.length <= maxKeyLength ? key : hash('sha256', key, 'base64url');
}
