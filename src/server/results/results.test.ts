import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { engine } from '../engine/duckdb/engine.ts';
import type { QueryRequest } from '../engine/query-engine.ts';
import { QueryFailure } from '../engine/failure.ts';
import { toText } from './cached-result.ts';
import { createResults, type Result, type ResultQuery } from './results.ts';

const mebibyte = 1024 * 1024;
const rows = [['x'.repeat(600_000)]];

/** Creates results with an engine that returns the given rows, which are large by default. */
function open(
  context: TestContext,
  { rowsJson = Buffer.from(JSON.stringify(rows)), maxMemoryBytes = 2 * mebibyte } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-results-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const state = { now: 0, runs: 0 };
  async function run({ sql }: QueryRequest) {
    state.runs += 1;
    if (sql === 'invalid') throw new QueryFailure('sql_error', 'nothing is not a column', { line: 2 });
    return { columns: [], rowsJson, rowCount: 1, isCutOff: false, durationMs: 1.26 };
  }
  const results = createResults({
    engine: { run, reconsider: () => {} },
    clock: () => state.now,
    directory,
    maxMemoryBytes,
    maxLeasedBytes: mebibyte,
  });
  context.after(() => results.close());
  /** Gets a result for a new request, or for the request of the given signal. */
  const get = (sql: string, { maxAgeMs = 0, signal = new AbortController().signal } = {}) =>
    results.getResult({ ...query, sql }, { maxAgeMs, signal });
  return { state, get };
}

const query: ResultQuery = {
  organizationId: 'one',
  requesterId: 'somebody',
  source: {
    id: 'source',
    version: '1',
    describe: async () => ({ engine }),
  },
  sql: '',
  parameters: [],
};

const rowsOf = (result: Result): unknown => JSON.parse(`${toText(result)}}`).rows;

describe('a result', () => {
  test('is cached as long as its maximum age allows', async (context) => {
    const { state, get } = open(context, { rowsJson: Buffer.from('[[1]]') });
    const getWithin = async (maxAgeMs: number) => {
      const { isFromCache, computedAt } = await get('a', { maxAgeMs });
      return [isFromCache, computedAt];
    };
    const { release, ...result } = await get('a');
    release();
    assert.deepEqual(result, {
      columns: [],
      json: '{"columns":[],"rows":[[1]],"rowCount":1,"isCutOff":false,"computedAt":"1970-01-01T00:00:00.000Z","durationMs":1.3',
      sizeBytes: 113,
      computedAt: 0,
      sequence: 1,
      isFromCache: false,
    });
    state.now = 7;
    assert.deepEqual(await getWithin(6), [false, 7]);
    state.now = 10;
    assert.deepEqual(await getWithin(3), [true, 7]);
    state.now = 6;
    assert.deepEqual(await getWithin(100), [false, 6], 'the clock was ahead');
    assert.deepEqual([await getWithin(0), await getWithin(0), state.runs], [[false, 6], [false, 6], 5]);
  });

  test('is computed once for equal queries of one request, however fresh it must be', async (context) => {
    const { state, get } = open(context, { rowsJson: Buffer.from('[[1]]') });
    const { signal } = new AbortController();
    await get('a', { signal });
    await Promise.all([get('b', { signal }), get('b', { signal })]);
    assert.deepEqual([(await get('a', { signal })).isFromCache, state.runs], [true, 2]);
    // A result that another request has computed since is fresh enough as well.
    await get('c');
    assert.deepEqual([(await get('c', { signal })).isFromCache, state.runs], [true, 3]);
    assert.deepEqual([(await get('a')).isFromCache, state.runs], [false, 4]);
  });

  test('is the problem of the query if it fails, and the next request runs it again', async (context) => {
    const { state, get } = open(context);
    for (const runs of [1, 2]) {
      await assert.rejects(get('invalid'), { code: 'query_failed', extension: { line: 2 } });
      assert.equal(state.runs, runs);
    }
  });
});

describe('a large result', () => {
  test('waits until others are read, and is not computed again', async (context) => {
    const { state, get } = open(context);
    const first = await get('a');
    let isThere = false;
    const second = get('b').finally(() => {
      isThere = true;
    });
    // Both are cached in memory, and these two evict them to disk.
    for (const sql of ['c', 'd']) void get(sql).then(({ release }) => release());
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    assert.equal(isThere, false);
    first.release();
    assert.deepEqual([rowsOf(await second), state.runs], [rows, 4]);
  });

  test('is a problem if the cache has lost it in the meantime', async (context) => {
    const { get } = open(context, { maxMemoryBytes: mebibyte / 2 });
    const first = await get('a');
    const second = get('b');
    await setImmediate();
    first.release();
    await assert.rejects(second, { code: 'queries_busy' });
    (await get('c')).release();
  });

  test('releases its memory once it is read or its client leaves', async (context) => {
    const { get } = open(context);
    const [leaving, alsoLeaving] = [new AbortController(), new AbortController()];
    await get('a', leaving);
    const left = get('b', alsoLeaving);
    const second = get('c');
    await setImmediate();
    alsoLeaving.abort();
    await assert.rejects(left, { code: 'unavailable' });
    await assert.rejects(get('new', alsoLeaving), { code: 'unavailable' });
    leaving.abort();
    const { release } = await second;
    release();
    release();
    assert.deepEqual(rowsOf(await get('b', { maxAgeMs: 1 })), rows);
  });
});
