import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Search } from '../../ui/browser/search.ts';
import { batchesOf, type Batch, type Wanted } from './batches.ts';
import { createResultsLoader } from './loader.ts';

const line = (reportId: string, reportName: string, ...parameters: string[]): WidgetResult => ({
  widgetIds: [reportId],
  reportId,
  reportName,
  parameters: parameters.map((name) => ({ name, filter: name, type: 'text', hasAllowed: false })),
});

interface Stream {
  readonly batch: Batch & { readonly isForced: boolean };
  readonly signal: AbortSignal;
  send(...lines: WidgetResult[]): void;
  end(): void;
  fail(reason: Error): void;
}

const widgetIds = ['a', 'b', 'c', 'd'];
const want = (slot: string, filters: Search = {}): Wanted => ({
  slot,
  widgetId: slot.charAt(0),
  filters,
});
const all = widgetIds.map((id) => want(id));

/** Loads the results of a dashboard as its page does; `streams` has one for each request, whose lines the test sends. */
function open(context: TestContext) {
  const streams: Stream[] = [];
  const loader = createResultsLoader((_request, batch, signal) => {
    const { readable, writable } = new TransformStream<readonly WidgetResult[], readonly WidgetResult[]>();
    const writer = writable.getWriter();
    streams.push({
      batch,
      signal,
      send: (...lines) => void writer.write(lines).catch(() => {}),
      end: () => void writer.close().catch(() => {}),
      fail: (reason) => void writer.abort(reason).catch(() => {}),
    });
    return readable;
  });
  context.after(loader.stop);
  return {
    loader,
    streams,
    async load(wanted: readonly Wanted[] = all, filters: Search = {}) {
      loader.want('page', wanted);
      loader.load({ dashboardId: 'd', version: '"1"', filters, widgetIds });
      await setImmediate();
    },
    shown() {
      const { lines, round, loading, missing, error } = loader.results();
      const named = [...lines].map(([slot, known]) => `${slot} ${known.line.reportName} ${known.round}`);
      return { named, round, loading: [...loading].join(''), missing: [...missing].join(''), error };
    },
    /** Returns what was requested, such as `ab` or `all`. */
    requests: () => streams.map(({ batch }) => batch.widgetIds?.join('') ?? 'all'),
  };
}

test('results arrive line by line, and old results stay until new ones arrive', async (context) => {
  const { streams, shown, load } = open(context);
  await load();
  assert.deepEqual(shown(), { named: [], round: 1, loading: 'abcd', missing: '', error: null });
  streams[0]!.send(line('a', 'A', 'x'));
  await setImmediate();
  assert.deepEqual(shown(), { named: ['a A 1'], round: 1, loading: 'bcd', missing: '', error: null });
  streams[0]!.send(line('b', 'B', 'x'), line('c', 'C', 'x'));
  streams[0]!.end();
  await setImmediate();
  const named = ['a A 1', 'b B 1', 'c C 1'];
  assert.deepEqual(shown(), { named, round: 1, loading: '', missing: 'd', error: null });

  await load(all, { x: '1' });
  streams[1]!.send(line('b', 'B', 'x'));
  await setImmediate();
  assert.deepEqual(shown(), {
    named: ['a A 1', 'b B 2', 'c C 1'],
    round: 2,
    loading: 'acd',
    missing: '',
    error: null,
  });
});

test('results are requested when they are wanted, those that are wanted together in one request', async (context) => {
  const { load, requests, streams, shown } = open(context);
  await load([want('b')]);
  await load([want('b'), want('c'), want('a')]);
  await load([want('b'), want('d')]);
  assert.deepEqual(requests(), ['b', 'ca', 'd']);
  await load(all);
  streams[1]!.send({ ...line('c', 'C'), widgetIds: ['c', 'a'] });
  await setImmediate();
  assert.deepEqual([requests(), shown().loading], [['b', 'ca', 'd'], 'bd']);
});

test('the parts of a page that want results at the same time share a request', async (context) => {
  const { loader, load, requests } = open(context);
  loader.want('section', [want('c')]);
  await load([want('a')]);
  loader.want('section', undefined);
  loader.want('other section', [want('b'), want('c')]);
  await setImmediate();
  assert.deepEqual(requests(), ['ca', 'b']);
  assert.deepEqual(
    loader.results().wanted.map(({ slot }) => slot),
    ['a', 'b', 'c'],
  );
  // A text refers to a result that is shown, too.
  loader.want('text', [want('c'), want('d')]);
  await setImmediate();
  assert.deepEqual(requests(), ['ca', 'b', 'd']);
  assert.equal(loader.results().wanted.length, 4);
});

test('a section that repeats has a request for each value, at most three at once', async (context) => {
  const { load, streams, shown } = open(context);
  const values = ['NO', 'SE', 'DK', 'FI'];
  await load([want('a'), ...values.flatMap((value) => [want(`b ${value}`, { country: value })])]);
  assert.deepEqual(
    streams.map(({ batch }) => [batch.filters, batch.widgetIds]),
    [
      [{}, ['a']],
      [{ country: 'NO' }, ['b']],
      [{ country: 'SE' }, ['b']],
    ],
  );
  streams[1]!.send(line('b', 'Norway'));
  streams[1]!.end();
  await setImmediate();
  assert.deepEqual([shown().named, streams.length], [['b NO Norway 1'], 4]);
});

test('the results of reports that a changed filter does not touch stay current, and a refresh requests all', async (context) => {
  const { loader, streams, shown, load } = open(context);
  await load();
  const result = { computedAt: '2026-11-22T10:00:00.000Z' } as WidgetResult['result'] & object;
  const total = { ...line('b', 'B', 'y'), result };
  streams[0]!.send(line('a', 'A', 'x'), total);
  streams[0]!.end();
  await setImmediate();
  const before = loader.results().lines.get('b')?.line;
  await load(all, { x: '1' });
  assert.deepEqual(shown().named, ['a A 1', 'b B 2']);
  streams[1]!.send(structuredClone({ ...total, widgetIds: ['b', 'c'] }), line('a', 'A', 'x'));
  streams[1]!.end();
  await setImmediate();
  assert.deepEqual(shown().named, ['a A 2', 'b B 2', 'c B 2']);
  assert.equal(loader.results().lines.get('b')?.line, before);
  await load(all, { x: '1', y: '2' });
  assert.deepEqual(shown().named, ['a A 3', 'b B 2', 'c B 2']);
  loader.refresh(true);
  await setImmediate();
  assert.deepEqual([shown().named, shown().round], [['a A 3', 'b B 2', 'c B 2'], 4]);
  assert.deepEqual(
    streams.map(({ batch }) => batch.isForced),
    [false, false, false, true],
  );
});

for (const [name, again] of [
  ['other filters', ({ load }: ReturnType<typeof open>) => void load(all, { x: '1' })],
  ['a refresh', ({ loader }: ReturnType<typeof open>) => loader.refresh(false)],
] as const) {
  test(`a request that is replaced by ${name} is aborted, and its lines are ignored`, async (context) => {
    const opened = open(context);
    const { streams, shown, load, loader } = opened;
    await load();
    again(opened);
    await setImmediate();
    assert.deepEqual([streams[0]!.signal.aborted, streams[1]!.signal.aborted], [true, false]);
    streams[0]!.send(line('a', 'old'));
    streams[0]!.end();
    await setImmediate();
    assert.deepEqual([shown().named, shown().loading], [[], 'abcd']);
    loader.stop();
    assert.equal(streams[1]!.signal.aborted, true);
    assert.equal(shown().loading, '');
    await load(all, name === 'a refresh' ? {} : { x: '1' });
    assert.deepEqual([streams.length, shown().loading], [3, 'abcd']);
  });
}

test('a broken stream is reported, and the lines before it stay', async (context) => {
  const { loader, streams, shown, load } = open(context);
  const error = new Error('broken');
  await load();
  streams[0]!.send(line('a', 'A'));
  await setImmediate();
  streams[0]!.fail(error);
  await setImmediate();
  assert.deepEqual(shown(), { named: ['a A 1'], round: 1, loading: '', missing: 'bcd', error });
  loader.refresh(false);
  await setImmediate();
  assert.deepEqual(shown(), { named: ['a A 1'], round: 2, loading: 'abcd', missing: '', error: null });
});

test('very many widgets are requested in parts', () => {
  const many = Array.from({ length: 250 }, (_, index) => `w${index}`);
  const wanted = many.map((widgetId) => ({ slot: widgetId, widgetId, filters: {} }));
  assert.deepEqual(
    batchesOf(wanted, many).map((batch) => batch.widgetIds),
    [undefined],
  );
  assert.deepEqual(
    batchesOf(wanted, [...many, 'other']).map((batch) => batch.widgetIds?.length),
    [100, 100, 50],
  );
});
