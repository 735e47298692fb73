import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import type { ColumnType } from '#shared/columns.ts';
import { defaultCalendar, setCalendar } from '#shared/region/calendar.ts';
import type { ResultRows } from '../values/result-values.ts';
import { areComparable, barColumns, barsOf, maxLanes } from './bars.ts';
import { positionOfNow } from './today.ts';

const settings = { label: 'task', start: 'from', end: 'to', group: 'team', progress: 'done' };

const resultOf = (type: ColumnType, rows: readonly (readonly unknown[])[]): ResultRows => ({
  columns: [
    { name: 'task', type: 'text', sourceType: '' },
    { name: 'from', type, sourceType: '' },
    { name: 'to', type, sourceType: '' },
    { name: 'team', type: 'text', sourceType: '' },
    { name: 'done', type: 'integer', sourceType: '' },
  ],
  rows,
});

function barsIn(result: ResultRows, sort?: Parameters<typeof barsOf>[2]) {
  const columns = barColumns(settings, result);
  assert.ok(columns);
  return barsOf(columns, result, sort);
}

const day = (date: string) => Date.parse(date);

test('a date as the end includes that day, and a time does not', () => {
  const dates = barsIn(resultOf('date', [['a', '2026-01-05', '2026-01-05', 'x', null]]));
  assert.deepEqual([dates.bars[0]?.start, dates.bars[0]?.end], [day('2026-01-05'), day('2026-01-06')]);
  const times = barsIn(
    resultOf('datetime', [['a', '2026-01-05T10:00:00', '2026-01-05T10:00:00', 'x', null]]),
  );
  assert.equal(times.bars[0]?.end, times.bars[0]?.start);
});

test('a row without an end is open; one without a start, or that ends before it starts, is left out', () => {
  const { bars, invalid, valid, open } = barsIn(
    resultOf('integer', [
      ['a', 1, null, 'x', null],
      ['b', null, 4, 'x', null],
      ['c', 5, 4, 'x', null],
      ['d', 5, 5, 'x', null],
    ]),
  );
  assert.deepEqual(
    bars.map(({ label, end }) => [label, end]),
    [
      ['a', undefined],
      ['d', 5],
    ],
  );
  assert.deepEqual({ invalid, valid, open }, { invalid: 2, valid: 2, open: 1 });
});

test('rows with the same label share a line unless they overlap, and lines are in the order of groups', () => {
  const { bars, lanes, groups } = barsIn(
    resultOf('integer', [
      ['a', 0, 4, 'x', null],
      ['b', 0, 9, 'y', null],
      ['a', 4, 6, 'y', null],
      ['a', 5, 7, 'x', null],
      ['c', 0, 1, 'x', null],
    ]),
  );
  assert.deepEqual(lanes, ['a', '', 'c', 'b']);
  assert.deepEqual(groups, ['x', 'y']);
  assert.deepEqual(
    bars.map(({ label, start, lane }) => [label, start, lane]),
    [
      ['a', 0, 0],
      ['a', 4, 0],
      ['a', 5, 1],
      ['c', 0, 2],
      ['b', 0, 3],
    ],
  );
});

test('progress is from 0 to 1, or from 0 to 100 if a value is greater than 1', () => {
  const progressOf = (values: readonly unknown[]) =>
    barsIn(
      resultOf(
        'integer',
        values.map((value, index) => [`${index}`, 0, 1, 'x', value]),
      ),
    ).bars.map(({ progress }) => progress);
  assert.deepEqual(progressOf([0, 1, null]), [0, 1, undefined]);
  assert.deepEqual(progressOf([0, 50, 150, -3]), [0, 0.5, 1, 0]);
});

test('more lines than can be found are left out, in linear time also if all rows overlap', () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => ['same', index, null, 'x', null]);
  const cpuMs = watchThreadCpuTime();
  const { lanes, bars, valid } = barsIn(resultOf('integer', rows));
  assert.ok(cpuMs() < 3_000);
  assert.deepEqual([lanes.length, bars.length, valid], [maxLanes, maxLanes, 50_000]);
});

test('numbers and times are not compared', () => {
  const columns = barColumns(settings, resultOf('date', []));
  assert.ok(columns);
  assert.ok(areComparable(columns));
  assert.ok(!areComparable({ ...columns, end: { ...columns.end, type: 'integer' } }));
  assert.ok(!areComparable({ ...columns, end: { ...columns.end, type: 'time' } }));
});

afterEach(() => setCalendar(defaultCalendar));

test('now is that of the organization on axes without a zone, and the same everywhere on axes of instants', () => {
  const now = Date.parse('2026-12-31T23:30:00Z');
  setCalendar({ timeZone: 'Asia/Tokyo', weekStart: 'monday' }, now);
  const column = (type: ColumnType) => ({ name: '', type, sourceType: '', index: 0 });
  assert.equal(positionOfNow([column('date'), column('datetime')]), Date.parse('2027-01-01T08:30:00Z'));
  assert.equal(positionOfNow([column('instant'), column('instant')]), now);
  assert.equal(positionOfNow([column('integer'), column('integer')]), undefined);
  assert.equal(positionOfNow([column('time'), column('time')]), undefined);
});
