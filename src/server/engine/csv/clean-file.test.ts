import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { QueryFailure } from '../failure.ts';
import { writeCleanFile } from './clean-file.ts';

test('a file whose rows get much longer is refused before it fills the disk', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-clean-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  async function* text(): AsyncGenerator<Buffer> {
    for (let count = 0; count < 8; count += 1) yield Buffer.from('a\n'.repeat(500_000));
  }
  const dialect = { delimiter: ',', skipLines: 0, hasHeader: false } as const;
  const path = join(directory, 'clean.csv');
  const maxBytes = 10_000_000;
  await assert.rejects(
    writeCleanFile(text(), dialect, { path, maxBytes }),
    (error) => error instanceof QueryFailure && error.code === 'too_large',
  );
  assert.ok((await stat(path)).size <= maxBytes);
  await rm(path);
  assert.equal((await writeCleanFile(text(), dialect, { path, maxBytes: 10 * maxBytes })).columnCount, 1);
});
