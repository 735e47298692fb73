import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { createResultsReader, type ResultsReader } from './results-reader.ts';

const line = (reportId: string, reportName: string): WidgetResult => ({
  widgetIds: ['w'],
  reportId,
  reportName,
});

const shown = (reader: ResultsReader) => {
  const { lines, round, isReading, readAt, error } = reader.current();
  const named = [...lines.values()].map(({ line, round }) => `${line.reportName} ${round}`);
  return { named, round, isReading, readAt, error };
};

/** A stream for each time that was asked, whose lines the test sends. */
function streams() {
  const all: {
    send(line: WidgetResult): void;
    end(): void;
    fail(reason: Error): void;
    signal: AbortSignal;
  }[] = [];
  const read = (_: unknown, signal: AbortSignal) => {
    const { readable, writable } = new TransformStream<WidgetResult, WidgetResult>();
    const writer = writable.getWriter();
    all.push({
      send: (line) => void writer.write(line).catch(() => {}),
      end: () => void writer.close().catch(() => {}),
      fail(reason) {
        void writer.abort(reason).catch(() => {});
      },
      signal,
    });
    return readable;
  };
  return { all, read };
}

test('results come line by line, and old ones stay until there are new ones', async () => {
  const { all, read } = streams();
  const reader = createResultsReader(read, () => 7);
  let changes = 0;
  reader.subscribe(() => (changes += 1));
  reader.ask({ filters: {} });
  all[0]!.send(line('a', 'A'));
  all[0]!.send(line('b', 'B'));
  all[0]!.end();
  await setImmediate();
  assert.deepEqual(shown(reader), {
    named: ['A 1', 'B 1'],
    round: 1,
    isReading: false,
    readAt: 7,
    error: undefined,
  });
  assert.equal(changes, 4);

  reader.ask({ filters: { x: '1' } });
  all[1]!.send(line('b', 'B'));
  await setImmediate();
  assert.deepEqual(shown(reader).named, ['A 1', 'B 2']);
  assert.equal(shown(reader).isReading, true);
});

test('what was asked before breaks off, and changes nothing any more', async () => {
  const { all, read } = streams();
  const reader = createResultsReader(read);
  reader.ask({ filters: {} });
  reader.ask({ filters: { x: '1' } });
  assert.deepEqual([all[0]!.signal.aborted, all[1]!.signal.aborted], [true, false]);
  all[0]!.send(line('a', 'old'));
  all[0]!.end();
  await setImmediate();
  assert.deepEqual(shown(reader).named, []);
  assert.equal(shown(reader).isReading, true);
  reader.close();
  assert.equal(all[1]!.signal.aborted, true);
});

test('a stream that breaks is told, with what came before it kept', async () => {
  const { all, read } = streams();
  const reader = createResultsReader(read);
  const error = new Error('broken');
  reader.ask({ filters: {} });
  all[0]!.send(line('a', 'A'));
  await setImmediate();
  all[0]!.fail(error);
  await setImmediate();
  const { named, isReading, readAt, error: told } = shown(reader);
  assert.deepEqual(
    { named, isReading, readAt, told },
    { named: ['A 1'], isReading: false, readAt: undefined, told: error },
  );
  reader.ask({ filters: {} });
  assert.equal(shown(reader).error, undefined);
});
