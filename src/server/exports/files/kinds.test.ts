import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { jobOf } from '../../../../tests/support/exports/jobs.ts';
import { readSvg } from '../../../../tests/support/exports/read-svg.ts';
import { chartLoaders } from '#charts/charts.ts';
import { cases } from '../../../../tests/charts/cases.ts';
import { dataSets } from '../../../../tests/charts/data-sets.ts';
import { createExport } from './create-export.ts';

async function textsOf(widgets: Parameters<typeof jobOf>[1]): Promise<string[]> {
  const { job, lines } = jobOf('svg', widgets);
  return readSvg(await createExport(job, lines));
}

test('a Gantt chart has all of its lines, although a page would have to scroll', async () => {
  const columns = [
    ['task', 'text'],
    ['from', 'integer'],
    ['to', 'integer'],
  ] as const;
  const rows = Array.from({ length: 40 }, (_, index) => [`Task ${index}`, index, index + 3]);
  const visualization = { kind: 'gantt', label: 'task', start: 'from', end: 'to' } as const;
  const texts = await textsOf([{ title: 'Plan', columns, rows, visualization }]);
  assert.ok(
    texts.some((text) => /^Task 3\d$/.test(text)),
    texts.join(),
  );
});

test('a Sankey diagram has its names, and a note about circles', async () => {
  const columns = [
    ['source', 'text'],
    ['target', 'text'],
    ['value', 'integer'],
  ] as const;
  const rows = [
    ['Web', 'Free', 30],
    ['Free', 'Web', 2],
  ];
  const visualization = { kind: 'sankey', source: 'source', target: 'target', value: 'value' } as const;
  const texts = await textsOf([{ title: 'Plans', columns, rows, visualization }]);
  assert.ok(texts.includes('Web') && texts.includes('Free'), texts.join());
  assert.ok(texts.some((text) => text.startsWith('Not shown, because they lead back')));
});

const kinds = [...chartLoaders.keys()];

for (const format of ['png', 'pdf', 'svg'] as const) {
  for (const kind of kinds) {
    test(`a ${kind} is exported as ${format}`, async () => {
      const [example] = cases[kind] ?? [];
      const { columns, rows } = dataSets['ordinary'] ?? { columns: [], rows: [] };
      assert.ok(example !== undefined && rows.length > 0);
      const widget = {
        title: 'Example',
        columns: columns.map(({ name, type }) => [name, type] as const),
        rows,
        visualization: example.visualization,
      };
      const { job, lines } = jobOf(format, [widget]);
      const file = await createExport(job, lines);
      assert.ok(file.byteLength > 3_000, `${file.byteLength} bytes`);
    });
  }
}

const patterned: readonly Visualization[] = [
  { kind: 'bar', x: 'city', series: [{ field: 'count' }, { field: 'amount' }], stacking: 'stacked' },
  { kind: 'pie', category: 'city', value: 'count' },
  { kind: 'treemap', category: 'day', group: 'city', value: 'count' },
  { kind: 'waterfall', category: 'day', value: 'count' },
  { kind: 'gantt', label: 'city', start: 'day', end: 'day', group: 'product' },
];

for (const visualization of patterned) {
  test(`a ${visualization.kind} has patterns if the person who exports it has chosen them`, async () => {
    const { columns, rows } = dataSets['ordinary'] ?? { columns: [], rows: [] };
    const widget = {
      columns: columns.map(({ name, type }) => [name, type] as const),
      rows: rows.slice(0, 8),
      visualization,
    };
    const make = async (format: 'svg' | 'png', hasPatterns: boolean) => {
      const { job, lines } = jobOf(format, [widget], { hasPatterns });
      return Buffer.from(await createExport(job, lines));
    };
    const patternsIn = async (hasPatterns: boolean) =>
      (await make('svg', hasPatterns)).toString().split('<pattern ').length - 1;
    assert.equal(await patternsIn(false), 0);
    assert.ok((await patternsIn(true)) > 0);
    assert.notDeepEqual(await make('png', true), await make('png', false));
  });
}
