import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { toFiles } from '../../src/cli/code/names.ts';
import type { CodeDocument } from '../../src/cli/code/formats.ts';
import { runIn, startCliServer, temporaryFolder } from '../support/cli.ts';
import { furnishCode } from '../support/cli-code.ts';

const id = '0193f5a2-7c1e-7b3a-9d2f-4e5a6b7c8d9e';
const dashboard = { format: 'atrium.dashboard/1', id, name: 'Sales', widgets: [] };
const write = (directory: string, name: string, value: unknown) =>
  writeFileSync(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));

/** An environment whose server must not be asked. */
const nowhere = {
  environment: { ATRIUM_URL: 'https://atrium.example.com', ATRIUM_TOKEN: 'token' },
  more: { fetch: () => assert.fail('something was sent') },
};

describe('the files of a directory', () => {
  test('have names that are never a path and never differ only in case', () => {
    const named = (name: string, last: string): CodeDocument => ({
      format: 'atrium.dashboard/1',
      id: id.slice(0, -1) + last,
      name,
    });
    const names = [
      '../../etc/passwd',
      'C:\\x',
      'CON',
      '.git/config',
      'Ä'.repeat(300),
      '\u0000\u202e',
      'con',
      'a/b',
    ];
    const files = toFiles(names.map((name, index) => named(name, String(index))));
    for (const { name } of files) assert.match(name, /^[a-z0-9-]{14,80}[.]json$/);
    assert.equal(new Set(files.map(({ name }) => name.toLowerCase())).size, names.length);
    const ofSources = names.flatMap((name): CodeDocument[] => [
      { format: 'atrium.data-source/1', name, kind: 'files' },
      { format: 'atrium.models/1', dataSource: { name, kind: 'files' }, models: [] },
    ]);
    const filesOfSources = toFiles(ofSources).map(({ name }) => name);
    for (const name of filesOfSources) assert.match(name, /^[a-z0-9-]{14,80}[.](source|models)[.]json$/);
    assert.equal(new Set(filesOfSources.map((name) => name.toLowerCase())).size, names.length * 2);
    const twins = toFiles([
      { ...named('Same', 'e'), id: `1${id.slice(1)}` } as CodeDocument,
      { ...named('same', 'e'), id: `2${id.slice(1)}` } as CodeDocument,
    ]);
    assert.equal(new Set(twins.map(({ name }) => name)).size, 2);
  });

  test('are all checked before anything is sent, and every fault names its file', async (context) => {
    const directory = temporaryFolder(context);
    write(directory, 'a.json', { ...dashboard, id: '../../evil' });
    write(directory, 'b.source.json', {
      format: 'atrium.data-source/1',
      name: 'B',
      kind: 'postgresql',
      connection: { host: 'db', port: 0, database: 'd', user: 'u', tls: 'verify', password: 'canary-secret' },
    });
    write(directory, 'c.source.json', {
      format: 'atrium.data-source/1',
      name: 'C',
      kind: 'files',
      pasword: 1,
    });
    write(directory, 'd.json', '<<<<<<< HEAD\n{"format": "atrium.dashboard/1"}');
    write(directory, 'e.json', { format: 'atrium.dashboard/9', id });
    write(directory, 'f.json', dashboard);
    write(directory, 'F.json', { ...dashboard, name: 'Twice' });
    write(directory, 'members.json', {
      format: 'atrium.members/1',
      members: [{ email: 'nobody', role: 'king' }],
    });
    write(directory, 'package.json', { name: 'not of Atrium' });
    write(directory, 'notes.txt', 'not JSON');
    for (const words of [
      ['diff', directory],
      ['push', directory, '--yes'],
    ]) {
      const exit = await runIn(nowhere.environment, words, nowhere.more);
      assert.equal(exit.code, 1);
      for (const fault of [
        'a.json: id must be a UUID in lower case',
        'b.source.json: connection/port',
        'b.source.json: connection/password must be an object',
        'c.source.json: pasword is not a known member',
        'd.json: is not JSON',
        "e.json: has the format atrium.dashboard/9, which this version doesn't know",
        'f.json: has the same name as F.json on systems that ignore case',
        'f.json: describes the same as F.json',
        'members.json: members/0/email must be an email address',
        'members.json: members/0/role must be one of',
      ])
        assert.ok(exit.errorOutput.includes(fault), `${fault}\n${exit.errorOutput}`);
      assert.doesNotMatch(exit.errorOutput, /package|notes|canary/);
    }
  });

  test('are not read or written through links', async (context) => {
    const cli = await startCliServer(context);
    await furnishCode(cli);
    const directory = temporaryFolder(context);
    const outside = join(directory, 'outside.txt');
    write(directory, 'outside.txt', JSON.stringify(dashboard));
    const code = join(directory, 'code');
    mkdirSync(code);
    symlinkSync(outside, join(code, 'members.json'));
    for (const words of [['diff'], ['push', '--yes'], ['pull', '--yes']]) {
      const [verb = '', ...rest] = words;
      const exit = await cli.run(verb, code, ...rest);
      assert.equal(exit.code, 1);
      assert.match(exit.errorOutput, /^members[.]json: is a symbolic link, which is not followed/);
    }
    assert.equal(readFileSync(outside, 'utf8'), JSON.stringify(dashboard));
  });

  test('that are not documents are never overwritten', async (context) => {
    const cli = await startCliServer(context);
    const directory = temporaryFolder(context);
    write(directory, 'sso.json', { mine: true });
    const exit = await cli.run('sso', 'pull', directory, '--yes');
    assert.deepEqual(
      [exit.code, exit.errorOutput],
      [1, 'sso.json: exists with other content, and is not overwritten\n'],
    );
    assert.equal(readFileSync(join(directory, 'sso.json'), 'utf8'), '{"mine":true}');
  });

  for (const evil of ['../../evil', '..\\evil', `${id}/../../evil`, 'x'.repeat(36)])
    test(`are not named by a server that sends the ID ${evil}`, async (context) => {
      const host = createServer((request, response) => {
        const isExport = request.url?.includes('/export') === true;
        response.end(
          isExport
            ? `${JSON.stringify({ ...dashboard, id: evil })}\n`
            : JSON.stringify({ items: [{ id, name: 'Organization' }] }),
        );
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      context.after(() => void host.close());
      const directory = temporaryFolder(context);
      const environment = {
        ATRIUM_URL: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
        ATRIUM_TOKEN: 'token',
      };
      const exit = await runIn(environment, ['dashboards', 'pull', join(directory, 'code'), '--yes']);
      assert.equal(exit.code, 1);
      assert.match(exit.errorOutput, /^The server sent an invalid document/);
      assert.deepEqual(readdirSync(directory), []);
    });
});
