import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Calendar } from '../dates/days.ts';
import { bindingsOf, type FilteredParameter } from './bindings.ts';
import {
  configWithReportIds,
  filtersOfWidgets,
  filterWidgetId,
  reportIdsOf,
  type FilterDefinition,
} from './definitions.ts';
import { parseNumberRange, valuesOfReport, type ParameterWithDefault } from './values.ts';

const calendar: Calendar = {
  now: Date.parse('2026-11-21T23:30:00Z'),
  timeZone: 'Europe/Berlin',
  weekStart: 'monday',
};
const country: FilterDefinition = { name: 'country', label: 'Country', kind: 'select' };
const city: FilterDefinition = { name: 'city', kind: 'list', dependsOn: ['country'] };
const long: FilterDefinition = { name: 'long', kind: 'text' };
const day: FilterDefinition = { name: 'day', kind: 'date_range', default: 'last-7-days' };

test('the definitions of a dashboard are read, and what is not valid is left out', () => {
  const widgets = [
    { reportId: 'a', config: { filters: { country: null } } },
    {
      reportId: filterWidgetId,
      config: { appliesTogether: true, filters: [country, { ...day, isRequired: 'yes' }, city] },
    },
    {
      reportId: filterWidgetId,
      config: {
        filters: [
          { ...country, label: 'Other' },
          { name: 'a b', kind: 'text' },
          { name: 'x', kind: 'slider' },
          { ...long, label: 'x'.repeat(201) },
          7,
        ],
      },
    },
    { reportId: filterWidgetId, config: { filters: 'none' } },
  ];
  assert.deepEqual(filtersOfWidgets(widgets), { filters: [country, day, city, long], appliesTogether: true });
  assert.deepEqual(filtersOfWidgets([]), { filters: [], appliesTogether: false });
});

test('any config can be read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const config = { filters: value } as Record<string, unknown>;
      const { filters } = filtersOfWidgets([{ reportId: filterWidgetId, config }]);
      assert.deepEqual(
        filters,
        filtersOfWidgets([{ reportId: filterWidgetId, config: { filters } }]).filters,
      );
      bindingsOf(config, [{ name: 'a', type: 'text' }], filters);
      configWithReportIds({ reportId: filterWidgetId, config }, (id) => id);
    }),
  );
});

test('reports are used by widgets, and by filters that list their values', () => {
  const filters = [{ ...country, values: { reportId: 'cities', column: 'country' } }];
  const widgets = [
    { reportId: 'a', config: {} },
    { reportId: 'a', config: {} },
    { reportId: filterWidgetId, config: { filters } },
  ];
  assert.deepEqual(reportIdsOf(widgets), ['a', 'cities']);
  const other = { reportId: filterWidgetId, config: configWithReportIds(widgets[2]!, (id) => `new ${id}`) };
  assert.deepEqual(reportIdsOf([other]), ['new cities']);
});

const parameters: readonly FilteredParameter[] = [
  { name: 'country', type: 'text' },
  { name: 'day_from', type: 'date' },
  { name: 'day_to', type: 'date' },
  { name: 'limit', type: 'number' },
];
const pairsOf = (config: Record<string, unknown>, definitions: readonly FilterDefinition[]) =>
  Object.fromEntries(
    bindingsOf(config, parameters, definitions).map(({ parameter, filter, end }) => [
      parameter,
      end === undefined ? filter : `${filter} ${end}`,
    ]),
  );

test('a filter sets the parameters with its name, and other parameters are filters themselves', () => {
  assert.deepEqual(pairsOf({}, [country, day]), {
    country: 'country',
    day_from: 'day from',
    day_to: 'day to',
    limit: 'limit',
  });
  assert.deepEqual(pairsOf({}, []), {
    country: 'country',
    day_from: 'day_from',
    day_to: 'day_to',
    limit: 'limit',
  });
});

test('a widget says which of its parameters a filter sets, or that none does', () => {
  const filters = { country: null, day: { to: 'limit' }, place: 'country' };
  assert.deepEqual(pairsOf({ filters }, [country, day]), {
    limit: 'day to',
  });
  const place: FilterDefinition = { name: 'place', kind: 'text' };
  assert.deepEqual(pairsOf({ filters: { place: 'country', limit: null } }, [place, country]), {
    country: 'place',
    day_from: 'day_from',
    day_to: 'day_to',
  });
});

const valuesIn = (
  definitions: readonly FilterDefinition[],
  list: readonly ParameterWithDefault[],
  given: Parameters<typeof valuesOfReport>[2],
) => valuesOfReport(bindingsOf({}, list, definitions), list, given, calendar);

test('values come from the URL or from the defaults of the dashboard, and dates are resolved in the time zone', () => {
  const given = { country: 'DE', limit: '5', unknown: 'x' };
  assert.deepEqual(valuesIn([country, day], parameters, given), {
    values: { country: 'DE', day_from: '2026-11-15', day_to: '2026-11-21', limit: 5 },
    missing: [],
  });
  const days = valuesIn([day], parameters, { day: 'today' }).values;
  assert.deepEqual([days['day_from'], days['day_to']], ['2026-11-22', '2026-11-22']);
  const cleared = valuesIn([country, day], parameters, { country: '', day: '' }).values;
  assert.deepEqual(cleared, { country: null, day_from: null, day_to: null });
  assert.deepEqual(valuesIn([], parameters, { day_from: 'yesterday' }).values, { day_from: '2026-11-21' });
});

test('a range can be open, and what is not a range reaches the validation unchanged', () => {
  const of = (text: string) => {
    const { values } = valuesIn([day], parameters, { day: text });
    return [values['day_from'], values['day_to']];
  };
  assert.deepEqual(of('2026-01-01..'), ['2026-01-01', null]);
  assert.deepEqual(of('all-time'), [null, null]);
  assert.deepEqual(of('soon'), ['soon', 'soon']);
});

test('times begin and end with the day: as instants if the parameter has one as its default', () => {
  const list: ParameterWithDefault[] = [
    { name: 'day_from', type: 'datetime', default: '2020-01-01T00:00:00Z' },
    { name: 'day_to', type: 'datetime' },
  ];
  assert.deepEqual(valuesIn([day], list, { day: '2026-11-21' }).values, {
    day_from: '2026-11-20T23:00:00.000Z',
    day_to: '2026-11-21T23:59:59.999999',
  });
});

test('numbers have ranges, and lists have several values', () => {
  const amount: FilterDefinition = { name: 'amount', kind: 'number_range' };
  const list: ParameterWithDefault[] = [
    { name: 'amount_from', type: 'number' },
    { name: 'amount_to', type: 'number' },
    { name: 'city', type: 'list' },
  ];
  const of = (given: Parameters<typeof valuesOfReport>[2]) => valuesIn([amount, city], list, given).values;
  assert.deepEqual(of({ amount: '1.5..', city: ['a', 'b'] }), {
    amount_from: 1.5,
    amount_to: null,
    city: ['a', 'b'],
  });
  assert.deepEqual(of({ amount: '..7', city: 'a' }), { amount_from: null, amount_to: 7, city: ['a'] });
  assert.deepEqual(of({ city: '' }), { city: null });
  assert.deepEqual(parseNumberRange('3'), { from: '3', to: '3' });
  assert.deepEqual(['x..', '1..2..3', '1..y'].map(parseNumberRange), [undefined, undefined, undefined]);
});

test('a required filter without a value is missing', () => {
  const required = { ...country, isRequired: true };
  const missing = (given: Parameters<typeof valuesOfReport>[2], definition: FilterDefinition = required) =>
    valuesIn([definition], parameters, given).missing;
  assert.deepEqual(missing({}), ['Country']);
  assert.deepEqual(missing({ country: '' }), ['Country']);
  assert.deepEqual(missing({ country: 'DE' }), []);
  assert.deepEqual(missing({}, { ...required, default: 'DE' }), []);
  assert.deepEqual(missing({}, { ...required, name: 'other' }), []);
});
