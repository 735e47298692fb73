import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchThreadCpuTime } from '../support/cpu-time.ts';
import { chartLoaders } from '#charts/charts.ts';
import type { Chart } from '#charts/drawing/chart.ts';
import { partsOf } from '#charts/drawing/parts.ts';
import { darkTheme, lightTheme } from '#charts/drawing/palette.ts';
import { createValueColors } from '#charts/drawing/value-colors.ts';
import { tableColumns } from '#charts/table/columns.ts';
import { createFormatter } from '#charts/values/formats.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { cases, type Row } from './cases.ts';
import { dataSets } from './data-sets.ts';
import { drawPicture } from './picture.ts';

/** More than any chart takes, also on a busy machine; a chart that takes more than linear time exceeds it. */
const maxMs = 8_000;

/** Larger pictures take long to load, and to show. */
const maxLength = 12_000_000;

/** The parts that are compared with the table. */
const comparedParts = 200;

const byName = ({ columns, rows }: ResultRows): Row[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));

for (const [kind, load] of chartLoaders) {
  describe(`the picture of a ${kind}`, () => {
    for (const { visualization, parts, maxCounted = Infinity } of cases[kind] ?? []) {
      for (const [name, result] of Object.entries(dataSets)) {
        test(`shows ${name} data, and its table has the same values: ${JSON.stringify(visualization)}`, async () => {
          const { toChart } = await load();
          const cpuMs = watchThreadCpuTime();
          const chart = toChart(visualization, result, lightTheme, createValueColors());
          const tookMs = cpuMs();
          assert.ok(tookMs < maxMs, `building the chart took ${Math.round(tookMs)} ms`);

          const { svg, partCounts } = drawPicture(chart);
          assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
          assert.ok(svg.length < maxLength, `the picture has ${svg.length} letters`);
          if (result.rows.length <= maxCounted) {
            const expected = parts(byName(result)).flatMap((count, series) =>
              count === 0 ? [] : [[series, count]],
            );
            assert.deepEqual(
              [...partCounts].toSorted(([a], [b]) => a - b),
              expected,
            );
          } else {
            assert.match(svg, /<path /);
          }
          assertSameAsTable(chart, visualization, result);
        });
      }
    }

    test('can be drawn in the dark theme, too', async () => {
      const { toChart } = await load();
      const [first] = cases[kind] ?? [];
      const ordinary = dataSets['ordinary'];
      assert.ok(first !== undefined && ordinary !== undefined, `tests/charts/cases.ts has no ${kind}`);
      const { svg } = drawPicture(toChart(first.visualization, ordinary, darkTheme, createValueColors()));
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
    });
  });
}

/** Asserts that every part of a chart stands for rows of the table, and that its tooltip has their values. */
function assertSameAsTable(
  chart: Chart,
  visualization: Parameters<typeof tableColumns>[1],
  result: ResultRows,
): void {
  const rows = new Set(result.rows);
  const table = tableColumns(result, visualization);
  for (const { seriesIndex, dataIndex, mark } of partsOf(chart).slice(0, comparedParts)) {
    assert.ok(mark.rows.every((row) => rows.has(row)));
    const [row] = mark.rows;
    const content = chart.tooltip?.contentOf([{ seriesIndex, dataIndex }]);
    if (row === undefined || mark.name !== undefined || content === undefined) continue;
    const written = content.lines.map(({ value }) => value).join('\n');
    for (const column of table.filter(({ name }) => mark.measures.includes(name))) {
      const value: unknown = row[column.index];
      if (value !== null)
        assert.ok(written.includes(createFormatter(column)(value)), `${mark.key}: ${written}`);
    }
  }
}
