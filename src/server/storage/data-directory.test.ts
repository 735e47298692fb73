import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartError } from '../base/errors.ts';
import { requireNoLostDatabase } from './data-directory.ts';

const beside = ['none', 'secret-key', 'sources with a file', 'empty sources', 'server-lock'] as const;
const databases = { missing: undefined, empty: '', whole: 'SQLite format 3' };

test('a missing or empty database is refused in a directory that has been in use', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'atrium-test-'));
  context.after(() => rmSync(root, { recursive: true }));
  const refusals: string[] = [];
  for (const [state, content] of Object.entries(databases)) {
    for (const other of beside) {
      const directory = join(root, `${state} ${other}`);
      mkdirSync(directory);
      const file = join(directory, 'atrium.sqlite');
      if (content !== undefined) writeFileSync(file, content);
      if (other.includes('sources')) mkdirSync(join(directory, 'sources'));
      if (other === 'sources with a file') writeFileSync(join(directory, 'sources', 'instance-id'), 'x');
      if (other === 'secret-key' || other === 'server-lock') writeFileSync(join(directory, other), 'x');
      try {
        requireNoLostDatabase(directory);
      } catch (error) {
        assert.ok(error instanceof StartError);
        assert.match(error.message, new RegExp(`atrium\\.sqlite is ${state}.*(sources|secret-key)`));
        refusals.push(`${state}, ${other}`);
      }
      assert.equal(existsSync(file), content !== undefined);
    }
  }
  assert.deepEqual(refusals, [
    'missing, secret-key',
    'missing, sources with a file',
    'empty, secret-key',
    'empty, sources with a file',
  ]);
});
