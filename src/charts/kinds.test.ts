import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { visualizationKinds } from '#contract/reports/visualizations.ts';
import { kindNames, kindOf } from './kinds.ts';

/** Returns the kinds that are defined in the files with this name, sorted. */
const definedIn = (file: string, define: string): string[] =>
  globSync(`*/${file}`, { cwd: import.meta.dirname })
    .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'))
    .map((text) => new RegExp(`${define}\\('(\\w+)'`).exec(text)?.[1] ?? '')
    .toSorted();

// The components aren't imported here, because Node can't parse JSX.
test('every kind has its components in its folder; the table is part of every view', () => {
  const names = kindNames.toSorted();
  assert.deepEqual(definedIn('editing.ts', 'defineEditing'), names);
  assert.deepEqual(
    ['table', ...definedIn('view.tsx', 'defineView'), ...definedIn('echarts.ts', 'defineChart')].toSorted(),
    names,
  );
});

test('every kind requires the same columns as the server', () => {
  for (const name of kindNames) assert.equal(kindOf(name).fields, visualizationKinds[name].fields, name);
});
