import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shippedFiles } from '../../scripts/package/build.ts';

const root = join(import.meta.dirname, '..', '..');

test('an image is built from everything that a release contains, and from no data or secret', () => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  assert.ok(lines.indexOf('*') < lines.indexOf('!src') && lines.includes('*'), 'nothing is sent by default');
  const needed = shippedFiles.map((file) => file.split('/')[0]).filter((name) => name !== 'dist');
  assert.deepEqual(
    needed.filter((name) => name === undefined || !sent.includes(name)),
    [],
  );
  for (const name of ['.env', 'data', '.git', 'node_modules']) assert.ok(!sent.includes(name), name);
});
