import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deathCauses } from '../engine/pool/worker-death.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'operation', 'logs.md'), 'utf8');

/** Returns the first columns of the table in the section with this heading. */
function listFirstColumn(heading: string): string[] {
  const [, section = ''] = page.split(`${heading}\n`);
  const [table = ''] = section.split(/\n#/);
  return Array.from(table.matchAll(/^\| `([^`]+)`/gm), ([, text = '']) => text);
}

test('the messages in the guide are those of the server', () => {
  const sources = globSync('src/server/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const messages = listFirstColumn('## What to watch for');
  assert.ok(messages.length > 20);
  assert.deepEqual(
    messages.filter((message) => !sources.includes(message)),
    [],
  );
});

test('the guide explains each cause of the death of a query process', () => {
  assert.deepEqual(
    listFirstColumn('### Why a query process died').toSorted(),
    Object.keys(deathCauses).toSorted(),
  );
});
