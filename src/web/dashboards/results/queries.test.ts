import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { QueryObserver } from '@tanstack/react-query';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Search } from '../../ui/browser/search.ts';
import { createQueryClient } from '../../ui/server-data/query-client.ts';
import { noResults, resultsQuery } from './queries.ts';

const line = (reportId: string, reportName: string, ...parameters: string[]): WidgetResult => ({
  widgetIds: [reportId],
  reportId,
  reportName,
  parameters: parameters.map((name) => ({ name, filter: name, type: 'text', hasAllowed: false })),
});

interface Stream {
  send(...lines: WidgetResult[]): void;
  end(): void;
  fail(reason: Error): void;
  readonly signal: AbortSignal;
}

/** Observes the results of a dashboard as its page does; `streams` has one for each request, whose lines the test sends. */
function observe(context: TestContext) {
  const client = createQueryClient();
  const streams: Stream[] = [];
  const read = (signal: AbortSignal) => {
    const { readable, writable } = new TransformStream<readonly WidgetResult[], readonly WidgetResult[]>();
    const writer = writable.getWriter();
    streams.push({
      send: (...lines) => void writer.write(lines).catch(() => {}),
      end: () => void writer.close().catch(() => {}),
      fail: (reason) => void writer.abort(reason).catch(() => {}),
      signal,
    });
    return readable;
  };
  const optionsOf = (filters: Search, before = noResults) =>
    client.defaultQueryOptions(resultsQuery({ dashboardId: 'd', version: '"1"', filters }, read, before));
  const observer = new QueryObserver(client, optionsOf({}));
  const stop = observer.subscribe(() => {});
  context.after(() => {
    stop();
    client.clear();
  });
  return {
    streams,
    stop,
    refetch: () => void observer.refetch(),
    filterBy: (filters: Search) => observer.setOptions(optionsOf(filters, observer.getCurrentResult().data)),
    shown() {
      const { data, isFetching, error } = observer.getCurrentResult();
      const named = [...(data?.lines.values() ?? [])].map(({ line, round }) => `${line.reportName} ${round}`);
      return { named, round: data?.round, isFetching, error };
    },
    lineOf(reportId: string) {
      return observer.getCurrentResult().data?.lines.get(reportId)?.line;
    },
  };
}

test('results arrive line by line, and old results stay until new ones arrive', async (context) => {
  const { streams, shown, filterBy } = observe(context);
  await setImmediate();
  assert.deepEqual(shown(), { named: [], round: 1, isFetching: true, error: null });
  streams[0]!.send(line('a', 'A', 'x'));
  await setImmediate();
  assert.deepEqual(shown(), { named: ['A 1'], round: 1, isFetching: true, error: null });
  streams[0]!.send(line('b', 'B', 'x'), line('c', 'C', 'x'));
  streams[0]!.end();
  await setImmediate();
  assert.deepEqual(shown(), { named: ['A 1', 'B 1', 'C 1'], round: 1, isFetching: false, error: null });

  filterBy({ x: '1' });
  await setImmediate();
  streams[1]!.send(line('b', 'B', 'x'));
  await setImmediate();
  assert.deepEqual(shown(), { named: ['A 1', 'B 2', 'C 1'], round: 2, isFetching: true, error: null });
});

test('the results of reports that a changed filter does not touch stay current, and a refresh requests all', async (context) => {
  const { streams, shown, filterBy, refetch, lineOf } = observe(context);
  await setImmediate();
  const result = { computedAt: '2026-11-22T10:00:00.000Z' } as WidgetResult['result'] & object;
  const total = { ...line('b', 'B', 'y'), result };
  streams[0]!.send(line('a', 'A', 'x'), total);
  streams[0]!.end();
  await setImmediate();
  const before = lineOf('b');
  filterBy({ x: '1' });
  await setImmediate();
  assert.deepEqual(shown().named, ['A 1', 'B 2']);
  streams[1]!.send(structuredClone(total), line('a', 'A', 'x'));
  streams[1]!.end();
  await setImmediate();
  assert.deepEqual(shown().named, ['A 2', 'B 2']);
  assert.equal(lineOf('b'), before);
  filterBy({ x: '1', y: '2' });
  await setImmediate();
  assert.deepEqual(shown().named, ['A 3', 'B 2']);
  refetch();
  await setImmediate();
  assert.deepEqual([shown().named, shown().round], [['A 3', 'B 2'], 4]);
});

for (const [name, again] of [
  ['other filters', ({ filterBy }: ReturnType<typeof observe>) => filterBy({ x: '1' })],
  ['a refresh', ({ refetch }: ReturnType<typeof observe>) => refetch()],
] as const) {
  test(`a request that is replaced by ${name} is aborted, and its lines are ignored`, async (context) => {
    const observed = observe(context);
    const { streams, shown, stop } = observed;
    await setImmediate();
    again(observed);
    await setImmediate();
    assert.deepEqual([streams[0]!.signal.aborted, streams[1]!.signal.aborted], [true, false]);
    streams[0]!.send(line('a', 'old'));
    streams[0]!.end();
    await setImmediate();
    assert.deepEqual([shown().named, shown().isFetching], [[], true]);
    stop();
    assert.equal(streams[1]!.signal.aborted, true);
  });
}

test('a broken stream is reported, and the lines before it stay', async (context) => {
  const { streams, shown, refetch } = observe(context);
  const error = new Error('broken');
  await setImmediate();
  streams[0]!.send(line('a', 'A'));
  await setImmediate();
  streams[0]!.fail(error);
  await setImmediate();
  assert.deepEqual(shown(), { named: ['A 1'], round: 1, isFetching: false, error });
  refetch();
  await setImmediate();
  assert.deepEqual(shown(), { named: ['A 1'], round: 2, isFetching: true, error: null });
});
