import assert from 'node:assert/strict';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readArchive } from '../../../../tests/support/archives.ts';
import { startCliServer, temporaryFolder } from '../../../../tests/support/cli.ts';
import { furnish } from '../../../../tests/support/data-export/export.ts';
import { runOn } from '../../../../tests/support/server/commands.ts';
import { sourcesDirectory } from '../../storage/data-directory.ts';
import { exportToFile } from './to-file.ts';

test('an operator exports into a new file', async (context) => {
  const cli = await startCliServer(context);
  await furnish(cli);
  const path = join(temporaryFolder(context), 'all.zip');
  const words = ['organization', 'export', path, '--organization', cli.organizationId];
  const exported = await runOn(cli.server, words);
  assert.deepEqual([exported.exitCode, exported.errorOutput], [0, '']);
  const files = await readArchive(readFileSync(path));
  assert.ok(files.has('manifest.json'));
  assert.match(String(files.get('logs/audit.ndjson')), /"actorId":null.*"action":"organization.exported"/);
  const again = await runOn(cli.server, words);
  assert.deepEqual([again.exitCode, /EEXIST/.test(again.errorOutput)], [1, true]);
  assert.deepEqual(readdirSync(dirname(path)), ['all.zip']);
  const full = await runOn(cli.server, [
    'organization',
    'export',
    '/dev/full/x',
    '--organization',
    cli.organizationId,
  ]);
  assert.equal(full.exitCode, 1);
});

test('an export to a disk that becomes full leaves no file', async (context) => {
  const cli = await startCliServer(context);
  await furnish(cli);
  const { database, clock, dataDirectory } = cli.server;
  const files = { directory: sourcesDirectory(dataDirectory), remote: undefined };
  const path = join(temporaryFolder(context), 'all.zip');
  const { organizationId } = cli;
  let freeBytes = 10_000;
  const createFile = (file: string, options: { flags: 'wx'; mode: number }) => {
    const output = createWriteStream(file, options);
    const write = output._write.bind(output);
    output._write = (chunk: Buffer, encoding, done) => {
      freeBytes -= chunk.length;
      if (freeBytes >= 0) write(chunk, encoding, done);
      else done(Object.assign(new Error('No space is left on the device'), { code: 'ENOSPC' }));
    };
    return Object.assign(output, { _writev: undefined });
  };
  await assert.rejects(exportToFile({ database, clock, files }, { organizationId, path, createFile }), {
    code: 'ENOSPC',
  });
  assert.ok(freeBytes < 0);
  assert.deepEqual(readdirSync(dirname(path)), []);
  await exportToFile({ database, clock, files }, { organizationId, path });
  assert.ok((await readArchive(readFileSync(path))).has('manifest.json'));
});
