import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { visualizationKinds } from '#contract/reports/visualizations.ts';
import { chartLoaders } from './charts.ts';
import { kindNames, kindOf } from './kinds.ts';

/** Returns the kinds that are defined in the files with this name, sorted. */
const definedIn = (folder: string, file: string, define: string): string[] =>
  globSync(`*/${file}`, { cwd: folder })
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .map((text) => new RegExp(`${define}\\('(\\w+)'`).exec(text)?.[1] ?? '')
    .toSorted();

// The components aren't imported here, because Node can't parse JSX.
test('every kind has its components in its folder; the table is part of every view', () => {
  const names = kindNames.toSorted();
  const components = join(import.meta.dirname, '..', 'web', 'visualizations');
  const drawn = definedIn(import.meta.dirname, 'echarts.ts', 'defineChart');
  assert.deepEqual(definedIn(components, 'editing.ts', 'defineEditing'), names);
  assert.deepEqual(['table', ...definedIn(components, 'view.tsx', 'defineView'), ...drawn].toSorted(), names);
  assert.deepEqual([...chartLoaders.keys()].toSorted(), drawn);
});

test('every kind requires the same columns as the server', () => {
  for (const name of kindNames) assert.equal(kindOf(name).fields, visualizationKinds[name].fields, name);
});
