import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartLoaders } from '#charts/charts.ts';
import { kindNames } from '#charts/kinds.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { tableColumns } from '#charts/table/columns.ts';
import { createFormatter } from '#charts/values/formats.ts';
import { createExport } from '../../src/server/exports/files/create-export.ts';
import { jobOf } from '../support/exports/jobs.ts';
import { readSvg } from '../support/exports/read-svg.ts';
import { cases, otherCases } from './cases.ts';
import { dataSets } from './data-sets.ts';

const valuesOf = ({ columns, rows }: ResultRows, name: string): unknown[] => {
  const index = columns.findIndex((column) => column.name === name);
  return rows.map((row) => row[index]);
};

/** What every kind is tested on. */
const shapes: Readonly<Record<string, (result: ResultRows) => boolean>> = {
  ordinary: ({ rows }) => rows.length > 1 && rows.flat().every((value) => value !== null),
  empty: ({ rows }) => rows.length === 0,
  'one row': ({ rows }) => rows.length === 1,
  negative: (result) => valuesOf(result, 'count').filter((value) => Number(value) < 0).length > 20,
  huge: (result) => valuesOf(result, 'amount').every((value) => Number(value) > 1e50),
  'null-heavy': ({ rows }) => rows.flat().filter((value) => value === null).length > rows.flat().length / 3,
  'right-to-left': (result) => valuesOf(result, 'city').some((value) => /[֐-ۿ]/.test(String(value))),
  '50,000 rows': ({ rows }) => rows.length === 50_000,
};

test('every kind of chart is tested on data of every shape', () => {
  assert.deepEqual(Object.keys(dataSets), Object.keys(shapes));
  for (const [name, result] of Object.entries(dataSets)) assert.ok(shapes[name]?.(result), name);
  assert.deepEqual(
    kindNames.filter(
      (kind) => ((chartLoaders.has(kind) ? cases[kind]?.length : otherCases[kind]) ?? 0) === 0,
    ),
    [],
    'Add these kinds to tests/charts/cases.ts.',
  );
});

/** What a table and a text show of a result without rows. */
const whenEmpty: Readonly<Record<string, string>> = { table: 'product', text: 'There are – in –.' };

/** All rows of a result are in its table, but only the first of a few thousand are drawn. */
const maxDrawn = 1_000;

for (const [kind, visualization] of Object.entries(otherCases)) {
  for (const [name, result] of Object.entries(dataSets)) {
    test(`the picture of a ${kind} shows ${name} data, and its table has the same values`, async () => {
      const columns = result.columns.map(({ name, type }) => [name, type] as const);
      const rows = result.rows.slice(0, kind === 'pivot' ? Infinity : maxDrawn);
      const { job, lines } = jobOf('svg', [
        { title: 'Example', layout: { w: 12, h: 8 }, columns, rows, visualization },
      ]);
      const texts = readSvg(await createExport(job, lines));
      const all = texts.join(' ');
      assert.doesNotMatch(all, /NaN|undefined|Infinity/);
      const [row] = rows;
      if (row === undefined) return assert.ok(all.includes(whenEmpty[kind] ?? 'No rows'), all);
      const table = tableColumns(result, visualization);
      const written = (field: string) => {
        const column = table.find((one) => one.name === field);
        const value = column && row[column.index];
        return column === undefined || value === null ? '' : createFormatter(column)(value);
      };
      const field = kind === 'number' ? 'count' : kind === 'table' ? 'product' : 'city';
      assert.ok(all.includes(written(field)), `${written(field)} in ${all}`);
    });
  }
}
