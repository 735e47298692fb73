import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { openFilesOffice } from '../../../tests/support/data-sources/uploads.ts';
import { backUp, runAt } from '../../../tests/support/server/backups.ts';
import {
  createTestPlace,
  describeOnUsualEngine,
  startTestServer,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import { openDatabase } from '../storage/open-database.ts';
import { raw } from './content.ts';
import type { Manifest } from './manifest.ts';

const factsOf = (bytes: string | Buffer) => ({
  sizeBytes: Buffer.byteLength(bytes),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Returns a backup, what changes its manifest, and an empty place to restore it into. */
async function createHostile(context: TestContext, engine: Engine) {
  const server = await startTestServer(context, engine);
  const { upload } = await openFilesOffice(server);
  await upload('sales', 'a\n1\n');
  const directory = await backUp(context, server, '--without-key');
  const place = await createTestPlace(engine);
  context.after(place.drop);
  const file = join(directory, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const rewrite = (change: Partial<Manifest>) =>
    writeFileSync(file, JSON.stringify({ ...manifest, ...change }));
  return { server, directory, place, manifest, rewrite };
}

describeOnUsualEngine('a backup from a stranger', (engine) => {
  test('writes no file outside of the data directory, nor reads one', async (context) => {
    const { directory, place, manifest, rewrite } = await createHostile(context, engine);
    const code = 'console.log("canary")';
    for (const path of [
      'sources/../../escaped/code.js',
      'sources/../compiled-code/code.js',
      'sources//code.js',
      'sources/./code.js',
      'sources\\..\\code.js',
      '../escaped/code.js',
      join(dirname(place.dataDirectory), 'escaped', 'code.js'),
    ]) {
      if (!path.startsWith('/')) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), code);
      }
      rewrite({ files: [...manifest.files, { path, ...factsOf(code) }] });
      for (const name of ['verify', 'restore']) {
        const { exitCode, errorOutput } = await runAt(place, [name, directory]);
        assert.deepEqual([path, exitCode], [path, 1]);
        assert.match(errorOutput, /manifest\.json cannot be read/);
      }
    }
    assert.deepEqual(readdirSync(place.dataDirectory), []);
  });

  test('links to no file, not even one with the right content', async (context) => {
    const { directory, place, manifest } = await createHostile(context, engine);
    const { path } = manifest.files.find(({ table }) => table !== undefined) ?? { path: '' };
    const outside = join(place.dataDirectory, '..', `outside-${manifest.instanceId}`);
    context.after(() => rmSync(outside, { force: true }));
    writeFileSync(outside, readFileSync(join(directory, path)));
    rmSync(join(directory, path));
    symlinkSync(outside, join(directory, path));
    const { output } = await runAt(place, ['verify', directory]);
    assert.ok(output.includes(`fault: ${path}: it is not a plain file`), output);
  });

  test('names no table that is more than a name', async (context) => {
    const { directory, place, manifest, rewrite } = await createHostile(context, engine);
    for (const table of ['users"; create table canary (id text); --', '../../users', '/etc/passwd', '..']) {
      rewrite({ rowCounts: { ...manifest.rowCounts, [table]: 0 } });
      const { errorOutput } = await runAt(place, ['restore', directory]);
      assert.match(errorOutput, /manifest\.json cannot be read/, table);
    }
    assert.deepEqual(readdirSync(place.dataDirectory), []);
  });

  test('whose manifest leaves out tables brings back no credential of theirs', async (context) => {
    const { directory, place, manifest, rewrite } = await createHostile(context, engine);
    const { sessions = 0, ...rowCounts } = manifest.rowCounts;
    assert.ok(sessions > 0);
    rewrite({ rowCounts });
    const { exitCode, errorOutput } = await runAt(place, ['restore', directory]);
    assert.equal(exitCode, 0, errorOutput);
    const restored = await openDatabase(place);
    context.after(() => restored.close());
    const count = raw<{ count: number }>('select count(*) as count from sessions');
    assert.equal(Number((await restored.first(count, {}))?.count), 0);
  });

  test('does not control the terminal of the operator', async (context) => {
    const { directory, place, manifest, rewrite } = await createHostile(context, engine);
    const faults = ['\u001b[2J\u009b31m\rall is well\u0007'];
    rewrite({ faults });
    const verified = await runAt(place, ['verify', directory]);
    assert.match(verified.output, /all is well/);
    rewrite({ faults, createdAt: '\u001b[2Jnow' });
    const restored = await runAt(place, ['restore', directory]);
    rewrite({ atriumVersion: '\u001b[2J', schemaVersion: manifest.schemaVersion + 1 });
    const refused = await runAt(place, ['restore', directory]);
    for (const { output, errorOutput } of [verified, restored, refused])
      assert.doesNotMatch(output + errorOutput, /(?!\n)\p{Control}/u);
  });

  test('with a manifest of another shape is refused', async (context) => {
    const { directory, place, manifest, rewrite } = await createHostile(context, engine);
    const shapes: readonly object[] = [
      { rowCounts: null },
      { rowCounts: { users: -1 } },
      { rowCounts: { users: 'many' } },
      { faults: undefined },
      { files: [null] },
      { files: [{ ...manifest.files[0], path: 1 }] },
      { schemaVersion: '1; drop table users' },
    ];
    for (const shape of shapes) {
      rewrite(shape);
      const { errorOutput } = await runAt(place, ['verify', directory]);
      assert.match(errorOutput, /manifest\.json cannot be read/, JSON.stringify(shape));
    }
  });
});

test('a trigger in the database of a backup never runs', async (context) => {
  const { directory, place, manifest, rewrite } = await createHostile(context, 'SQLite');
  const file = join(directory, 'atrium.sqlite');
  const database = new DatabaseSync(file);
  database.exec(
    `create trigger "of ""a"" stranger" after update on instance begin update users set name = 'canary'; end`,
  );
  database.close();
  const own = manifest.files.filter(({ path }) => path !== 'atrium.sqlite');
  rewrite({ files: [...own, { path: 'atrium.sqlite', ...factsOf(readFileSync(file)) }] });
  const { exitCode, errorOutput } = await runAt(place, ['restore', directory]);
  assert.equal(exitCode, 0, errorOutput);
  assert.ok(existsSync(join(place.dataDirectory, 'atrium.sqlite')));
  const restored = await openDatabase(place);
  context.after(() => restored.close());
  const count = async (text: string) => (await restored.first(raw<{ count: number }>(text), {}))?.count;
  assert.equal(await count("select count(*) as count from users where name = 'canary'"), 0);
  assert.equal(await count("select count(*) as count from sqlite_schema where type = 'trigger'"), 0);
});
