import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { linkOrCopy } from './copy-file.ts';

const text = 'the content of a table';
const facts = { sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
const memory = '/dev/shm';

function makeDirectory(context: TestContext, parent: string): string {
  const directory = mkdtempSync(join(parent, 'atrium-copy-'));
  context.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a file is linked on the same file system', async (context) => {
  const directory = makeDirectory(context, tmpdir());
  const [path, target] = [join(directory, 'file'), join(directory, 'below', 'target')];
  writeFileSync(path, text);
  assert.deepEqual(await linkOrCopy(path, target), facts);
  assert.equal(statSync(target).ino, statSync(path).ino);
});

const hasTwoFileSystems = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;
const needsTwo = { skip: hasTwoFileSystems ? false : 'there is only one file system' };

test('a file is copied to another file system, and never over another file', needsTwo, async (context) => {
  const path = join(makeDirectory(context, tmpdir()), 'file');
  const target = join(makeDirectory(context, memory), 'below', 'target');
  writeFileSync(path, text);
  // What the copy has is read, whatever is known about the original.
  assert.deepEqual(await linkOrCopy(path, target, { sha256: 'of the original' }), facts);
  assert.equal(readFileSync(target, 'utf8'), text);
  writeFileSync(path, 'another content');
  await assert.rejects(linkOrCopy(path, target), { code: 'EEXIST' });
  assert.equal(readFileSync(target, 'utf8'), text);
});
