import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { weekStarts } from '../query-builder/structure.ts';
import { addDays, calendarUnits, dayAt, isDay, startOfDay, startOfUnit, type Calendar } from './days.ts';
import {
  absoluteRange,
  formatLastUnits,
  formatRange,
  parseLastUnits,
  rangePresets,
  resolveDay,
  resolveRange,
} from './ranges.ts';
import { nameOfRange } from './range-names.ts';
import { timeZones } from './time-zones.ts';

const at = (time: string, timeZone = 'UTC', weekStart: Calendar['weekStart'] = 'monday'): Calendar => ({
  now: Date.parse(time),
  timeZone,
  weekStart,
});
/** A Saturday. */
const noon = at('2026-11-21T12:00:00Z');

for (const [text, from, to] of [
  ['today', '2026-11-21', '2026-11-21'],
  ['yesterday', '2026-11-20', '2026-11-20'],
  ['last-7-days', '2026-11-14', '2026-11-20'],
  ['last-7-days-to-now', '2026-11-14', '2026-11-21'],
  ['this-week', '2026-11-16', '2026-11-22'],
  ['last-week', '2026-11-09', '2026-11-15'],
  ['last-2-weeks', '2026-11-02', '2026-11-15'],
  ['this-month', '2026-11-01', '2026-11-30'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['last-3-months-to-now', '2026-08-01', '2026-11-21'],
  ['this-quarter', '2026-10-01', '2026-12-31'],
  ['last-quarter', '2026-07-01', '2026-09-30'],
  ['this-year', '2026-01-01', '2026-12-31'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['year-to-date', '2026-01-01', '2026-11-21'],
  ['last-9999-years', '0001-01-01', '2025-12-31'],
  ['2024-02-29', '2024-02-29', '2024-02-29'],
  ['2024-02-28..2024-03-01', '2024-02-28', '2024-03-01'],
] as const) {
  test(`${text} is from ${from} to ${to}`, () => assert.deepEqual(resolveRange(text, noon), { from, to }));
}

test('ranges can be open at one end, or at both', () => {
  assert.deepEqual(resolveRange('2026-01-01..', noon), { from: '2026-01-01' });
  assert.deepEqual(resolveRange('..2026-01-01', noon), { to: '2026-01-01' });
  assert.deepEqual(resolveRange('all-time', noon), {});
});

test('other texts are not ranges', () => {
  for (const text of [
    '',
    '..',
    'last-0-days',
    'last-3-fortnights',
    '2026-02-30',
    '2026-02-30..',
    '2026-03-02..2026-03-01',
  ])
    assert.equal(resolveRange(text, noon), undefined, text);
});

test('weeks start on the day that the organization chose', () => {
  const weekOf = (weekStart: Calendar['weekStart']) =>
    resolveRange('this-week', { ...noon, weekStart })?.from;
  assert.deepEqual(weekStarts.map(weekOf), ['2026-11-16', '2026-11-15', '2026-11-21']);
});

test('a day begins at midnight in the time zone', () => {
  const today = (time: string, timeZone: string) => resolveRange('today', at(time, timeZone))?.from;
  assert.equal(today('2026-11-21T18:14:59.999Z', 'Asia/Kathmandu'), '2026-11-21');
  assert.equal(today('2026-11-21T18:15:00Z', 'Asia/Kathmandu'), '2026-11-22');
  assert.equal(today('2026-11-21T10:00:00Z', 'Pacific/Kiritimati'), '2026-11-22');
  assert.equal(today('2026-11-21T09:59:59Z', 'Pacific/Honolulu'), '2026-11-20');
});

test('a day is 23 or 25 hours long when the clocks change, and begins later if they skip midnight', () => {
  const hoursOf = (day: string, zone: string) =>
    (startOfDay(addDays(day, 1), zone) - startOfDay(day, zone)) / 3_600_000;
  assert.equal(hoursOf('2026-03-29', 'Europe/Berlin'), 23);
  assert.equal(hoursOf('2026-10-25', 'Europe/Berlin'), 25);
  assert.equal(
    new Date(startOfDay('2018-11-04', 'America/Sao_Paulo')).toISOString(),
    '2018-11-04T03:00:00.000Z',
  );
  assert.equal(hoursOf('2026-10-04', 'Australia/Lord_Howe'), 23.5);
});

test('single days can be relative', () => {
  const days = ['today', 'yesterday', '30-days-ago', '2026-01-31', 'tomorrow'].map((text) =>
    resolveDay(text, noon),
  );
  assert.deepEqual(days, ['2026-11-21', '2026-11-20', '2026-10-22', '2026-01-31', undefined]);
});

test('relative ranges have names', () => {
  const names = [
    'today',
    'last-30-days',
    'last-1-months-to-now',
    'last-2-days-to-now',
    'this-quarter',
    'year-to-date',
    '2026-01-01',
  ];
  assert.deepEqual(names.map(nameOfRange), [
    'Today',
    'Last 30 days',
    'Last month and this month to date',
    'Last 2 days and today',
    'This quarter',
    'Year to date',
    undefined,
  ]);
  assert.ok(rangePresets.every((preset) => nameOfRange(preset) !== undefined));
});

const someZone = fc.constantFrom(...timeZones());
const someTime = fc.integer({
  min: Date.parse('1975-01-01T00:00:00Z'),
  max: Date.parse('2100-01-01T00:00:00Z'),
});
const someCalendar = fc.record({
  now: someTime,
  timeZone: someZone,
  weekStart: fc.constantFrom(...weekStarts),
});
const someUnit = fc.constantFrom(...calendarUnits);
const someLast = fc.record(
  {
    count: fc.integer({ min: 1, max: 400 }),
    unit: someUnit,
    isToNow: fc.boolean(),
  },
  { noNullPrototype: true },
);

test('every range has its days in order, and survives as text', () => {
  fc.assert(
    fc.property(
      someCalendar,
      fc.oneof(fc.constantFrom(...rangePresets), someLast.map(formatLastUnits)),
      (calendar, text) => {
        const range = resolveRange(text, calendar);
        assert.ok(range !== undefined);
        const { from, to } = range;
        if (from === undefined || to === undefined) return assert.equal(text, 'all-time');
        assert.ok(isDay(from) && isDay(to) && from <= to, `${from} ${to}`);
        assert.deepEqual(absoluteRange(formatRange(range)), range);
      },
    ),
  );
});

test('the last units are followed by the current one without a gap', () => {
  fc.assert(
    fc.property(someCalendar, someLast, (calendar, last) => {
      assert.deepEqual(parseLastUnits(formatLastUnits(last)), last);
      const range = resolveRange(formatLastUnits({ ...last, isToNow: false }), calendar);
      const today = dayAt(calendar.now, calendar.timeZone);
      const start = startOfUnit(today, last.unit, calendar.weekStart);
      assert.equal(addDays(range?.to ?? '', 1), start);
      assert.ok(start <= today);
      const { from, to } = resolveRange(formatLastUnits({ ...last, isToNow: true }), calendar) ?? {};
      assert.deepEqual([from, to], [range?.from, today]);
    }),
  );
});

test('a unit starts on the same day for each of its days', () => {
  fc.assert(
    fc.property(someCalendar, someUnit, ({ now, timeZone, weekStart }, unit) => {
      const day = dayAt(now, timeZone);
      const [start, next] = [0, 1].map((count) => startOfUnit(day, unit, weekStart, count));
      assert.ok(start !== undefined && next !== undefined && start <= day && day < next);
      assert.equal(startOfUnit(start, unit, weekStart), start);
      assert.equal(startOfUnit(addDays(next, -1), unit, weekStart), start);
      assert.equal(startOfUnit(next, unit, weekStart, -1), start);
    }),
  );
});

test('the start of a day is its first millisecond in every time zone', () => {
  fc.assert(
    fc.property(someTime, someZone, (time, zone) => {
      const day = dayAt(time, zone);
      const start = startOfDay(day, zone);
      assert.ok(start <= time);
      assert.equal(dayAt(start, zone), day);
      assert.ok(dayAt(start - 1, zone) < day);
    }),
  );
});
