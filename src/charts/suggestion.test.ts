import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import { suggestionFor, suggestVisualization } from './suggestion.ts';

const column = (name: string, type: ColumnType) => ({ name, type, sourceType: type });
const day = column('day', 'date');
const city = column('city', 'text');
const kind = column('kind', 'text');
const sum = column('sum', 'decimal');
const count = column('count', 'integer');

const rowsOf = <Row>(length: number, row: (index: number) => Row): Row[] =>
  Array.from({ length }, (_, index) => row(index));

test('a single number is shown as a number', () => {
  assert.deepEqual(suggestVisualization([sum], [[1]]), { kind: 'number', value: 'sum' });
  assert.deepEqual(suggestVisualization([city, sum], [['Bonn', 1]]), { kind: 'number', value: 'sum' });
});

test('numbers over time are lines, with one line for each of a few categories', () => {
  const rows = rowsOf(9, (index) => [`2026-01-0${index + 1}`, index, index]);
  const series = [{ field: 'sum' }, { field: 'count' }];
  assert.deepEqual(suggestVisualization([day, sum, count], rows), { kind: 'line', x: 'day', series });
  const split = rowsOf(9, (index) => [`2026-01-0${index + 1}`, 'abc'[index % 3], index]);
  assert.deepEqual(suggestVisualization([day, city, sum], split), {
    kind: 'line',
    x: 'day',
    series: [{ field: 'sum' }],
    splitBy: 'city',
  });
  const many = rowsOf(99, (index) => ['2026-01-01', `city ${index}`, index]);
  assert.deepEqual(suggestVisualization([day, city, sum], many), { kind: 'table' });
});

test('a column of years counts as time, although it is numeric', () => {
  const year = column('year', 'integer');
  const rows = rowsOf(5, (index) => [2020 + index, index]);
  assert.deepEqual(suggestVisualization([year, count], rows), {
    kind: 'line',
    x: 'year',
    series: [{ field: 'count' }],
  });
  assert.equal(
    suggestVisualization(
      [column('year', 'integer'), count],
      [
        [1, 2],
        [3, 4],
      ],
    ).kind,
    'scatter',
  );
});

test('numbers by category are bars, which are horizontal if the names are long', () => {
  const rows = rowsOf(5, (index) => [`c${index}`, index]);
  const bar = { kind: 'bar', x: 'city', series: [{ field: 'sum' }] };
  assert.deepEqual(suggestVisualization([city, sum], rows), bar);
  const long = rowsOf(5, (index) => [`a city of a long name ${index}`, index]);
  assert.deepEqual(suggestVisualization([city, sum], long), { ...bar, isHorizontal: true });
  assert.equal(
    suggestVisualization(
      [city, sum],
      rowsOf(99, (index) => [`c${index}`, 1]),
    ).kind,
    'table',
  );
});

test('a number by two categories is a stacked bar chart, or a heat map if both have many values', () => {
  const rows = rowsOf(20, (index) => [`c${index % 10}`, `k${index % 2}`, index]);
  assert.deepEqual(suggestVisualization([city, kind, sum], rows), {
    kind: 'bar',
    x: 'city',
    series: [{ field: 'sum' }],
    splitBy: 'kind',
    stacking: 'stacked',
  });
  const many = rowsOf(400, (index) => [`c${index % 20}`, `k${Math.floor(index / 20)}`, index]);
  assert.deepEqual(suggestVisualization([city, kind, sum], many), {
    kind: 'heatMap',
    x: 'kind',
    y: 'city',
    value: 'sum',
  });
});

test('two numbers are a scatter chart, and one is a histogram', () => {
  const rows = rowsOf(5, (index) => [index, index]);
  assert.deepEqual(suggestVisualization([sum, count], rows), { kind: 'scatter', x: 'sum', y: 'count' });
  assert.deepEqual(suggestVisualization([sum], rows), { kind: 'histogram', value: 'sum' });
});

test('any other result is a table', () => {
  assert.deepEqual(suggestVisualization([], []), { kind: 'table' });
  assert.deepEqual(suggestVisualization([city], [['Bonn'], ['Ulm']]), { kind: 'table' });
  assert.deepEqual(suggestVisualization([sum], []), { kind: 'table' });
  assert.deepEqual(suggestVisualization([city, sum, count], [['Bonn', 1, 2]]), { kind: 'table' });
});

test('no suggestion is made for a chosen chart that fits the columns', () => {
  const result = { columns: [city, sum], rows: rowsOf(5, (index) => [`c${index}`, index]) };
  assert.equal(suggestionFor({ kind: 'table' }, result)?.kind, 'bar');
  assert.equal(suggestionFor({ kind: 'pie', category: 'city', value: 'sum' }, result), undefined);
  assert.equal(suggestionFor({ kind: 'pie', category: 'gone', value: 'sum' }, result)?.kind, 'bar');
  assert.equal(suggestionFor({ kind: 'table' }, { columns: [city], rows: [['a']] }), undefined);
});
