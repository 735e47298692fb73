import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { runIn, startCliServer, temporaryFolder } from '../support/cli.ts';

describe('the command line', () => {
  test('shows its commands, the options of each, and its version, without a server', async () => {
    const none = await runIn({}, []);
    assert.deepEqual({ code: none.code, errorOutput: none.errorOutput }, { code: 0, errorOutput: '' });
    for (const { name } of commands) assert.ok(none.output.includes(`  ${name} `), none.output);
    for (const { name, options } of commands) {
      const help = await runIn({}, [...name.split(' '), '--help']);
      assert.equal(help.code, 0);
      assert.ok(help.output.startsWith(`atrium ${name} `), help.output);
      for (const option of options) assert.ok(help.output.includes(`  --${option.name} `), help.output);
      const misused = await runIn({}, [...name.split(' '), '--colour', 'blue']);
      assert.deepEqual([misused.code, misused.output], [2, '']);
      assert.match(misused.errorOutput, /--colour/);
    }
    assert.deepEqual(await runIn({}, ['--version']), { code: 0, output: '1.2.3\n', errorOutput: '' });
    const unknown = await runIn({}, ['user', 'create']);
    assert.equal(unknown.code, 2);
    assert.match(
      unknown.errorOutput,
      /^Unknown command[.] The commands of the operator are under atrium server/,
    );
  });

  test('says what is missing to call a server', async () => {
    const exit = await runIn({}, ['api', 'GET', '/api/organizations']);
    assert.equal(exit.code, 2);
    assert.match(exit.errorOutput, /ATRIUM_URL and ATRIUM_TOKEN/);
  });

  test('starts without the server, the contract or a package', () => {
    const program = join(import.meta.dirname, '..', '..', 'src', 'atrium.js');
    const hooks = `data:text/javascript,import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
    const { stderr, stdout } = spawnSync(process.execPath, ['--import', hooks, program, 'api', '--help'], {
      encoding: 'utf8',
    });
    assert.match(stdout, /^atrium api METHOD PATH/);
    const loaded = stderr.split('\n').filter((url) => url.startsWith('file:'));
    assert.ok(loaded.length > 5 && loaded.length < 25, loaded.join('\n'));
    assert.deepEqual(
      loaded.filter((url) => /src\/(server|contract)\/|node_modules/.test(url)),
      [],
    );
  });
});

describe('atrium api', () => {
  test('reads, writes, and prints errors of the server', async (context) => {
    const { run, organizationId, environment } = await startCliServer(context);
    const created = await run(
      'api', 'POST', '/api/dashboards', '--field', 'name=Sales = more', '--field', `organizationId=${organizationId}`,
      '--json-field', 'widgets=[]',
    ); // prettier-ignore
    assert.equal(created.code, 0, created.errorOutput);
    const { id, name } = JSON.parse(created.output) as { id: string; name: string };
    assert.equal(name, 'Sales = more');
    const read = await run('api', 'get', `/api/dashboards/${id}`, '--include');
    assert.match(read.output, /^HTTP 200\n(.+\n)*etag: "/);
    const etag = /^etag: (.+)$/m.exec(read.output)?.[1] ?? '';
    const input = JSON.stringify({ name: 'Orders' });
    const words = ['api', 'PATCH', `/api/dashboards/${id}`, '--input', '-', '--if-match', etag];
    const changed = await runIn(environment, words, { input });
    assert.equal(changed.code, 0, changed.errorOutput);
    const failed = await run(
      'api',
      'PATCH',
      `/api/dashboards/${id}`,
      '--json-field',
      'name=3',
      '--if-match',
      etag,
    );
    assert.deepEqual([failed.code, failed.output], [1, '']);
    assert.match(failed.errorOutput, /\n {2}name must be a string\n/);
    for (const wrong of [
      ['api', 'TRACE', '/api/dashboards'],
      ['api', 'GET', '/api/dashboards', '--field', 'name'],
      ['api', 'POST', '/api/dashboards', '--json-field', 'name={'],
      ['api', 'POST', '/api/dashboards', '--field', 'name=A', '--input', '-'],
      ['api', 'POST', '/api/dashboards', '--pages'],
    ])
      assert.equal((await run(...wrong)).code, 2, wrong.join(' '));
  });

  test('reads all pages of a list', async (context) => {
    const { run, organizationId } = await startCliServer(context);
    for (const name of ['A', 'B', 'C'])
      await run(
        'api',
        'POST',
        '/api/dashboards',
        '--field',
        `name=${name}`,
        '--field',
        `organizationId=${organizationId}`,
      );
    const list = await run('api', 'GET', '/api/dashboards', '--field', 'limit=2', '--pages');
    const { items } = JSON.parse(list.output) as { items: { name: string }[] };
    assert.deepEqual(items.map(({ name }) => name).toSorted(), ['A', 'B', 'C']);
  });

  test('writes no control characters to a terminal', async () => {
    const fetch = async () => new Response('a\u001b[31mb\u009bc');
    const environment = { ATRIUM_URL: 'https://atrium.example.com', ATRIUM_TOKEN: 'token' };
    const words = ['api', 'GET', '/api/x'];
    assert.equal((await runIn(environment, words, { fetch, isTerminal: true })).output, 'a [31mb c\n');
    assert.equal((await runIn(environment, words, { fetch })).output, 'a\u001b[31mb\u009bc');
    // As fetch reads the byte 9B, with which a sequence for the terminal can begin.
    const withHeader = async () => new Response('', { headers: { 'x-title': '\u009b31m' } });
    const included = { fetch: withHeader, isTerminal: true };
    const { output } = await runIn(environment, [...words, '--include'], included);
    assert.match(output, /^x-title:  31m$/m);
  });
});

test('a file is uploaded, and a report over it is run in each format', async (context) => {
  const { run, organizationId } = await startCliServer(context);
  const directory = temporaryFolder(context);
  const api = async (path: string, body: object): Promise<{ id: string }> => {
    const fields = Object.entries(body).flatMap(([name, value]) => [
      '--json-field',
      `${name}=${JSON.stringify(value)}`,
    ]);
    const { output, errorOutput } = await run('api', 'POST', path, ...fields);
    assert.equal(errorOutput, '');
    return JSON.parse(output) as { id: string };
  };
  const source = await api(`/api/organizations/${organizationId}/data-sources`, {
    name: 'Files',
    kind: 'files',
  });
  const file = join(directory, '2026 Orders-all.csv');
  writeFileSync(file, 'region,amount\nnorth,1\nsouth,2\n');
  const uploaded = await run('upload', file, '--source', 'Files');
  assert.deepEqual(uploaded, {
    code: 0,
    output: 'uploaded: orders_all (2 columns, 2 rows)\n',
    errorOutput: '',
  });
  await api('/api/reports', {
    organizationId,
    dataSourceId: source.id,
    name: 'Amounts',
    query: 'select region, amount from orders_all where region = any ({{regions}}) order by amount',
    parameters: [{ name: 'regions', type: 'list', default: ['north', 'south'] }],
  });
  const csv = await run('report', 'run', 'Amounts', '--format', 'csv');
  assert.deepEqual(csv, { code: 0, output: 'region,amount\r\nnorth,1\r\nsouth,2\r\n', errorOutput: '' });
  const south = await run('report', 'run', 'Amounts', '--parameter', 'regions=south');
  assert.equal(south.output, 'region,amount\r\nsouth,2\r\n');
  const json = await run('report', 'run', 'Amounts', '--json');
  assert.deepEqual((JSON.parse(json.output) as { rows: unknown }).rows, [['north', 1], ['south', 2]]); // prettier-ignore
  const target = join(directory, 'amounts.parquet');
  const parquet = await run('report', 'run', 'Amounts', '--format', 'parquet', '--output', target);
  assert.deepEqual([parquet.code, parquet.output], [0, `written: ${target}\n`]);
  assert.equal(readFileSync(target).subarray(0, 4).toString(), 'PAR1');

  const failures = [
    [1, /no report Sales/, ['report', 'run', 'Sales']],
    [
      2,
      /has no parameter region[.] It has: regions/,
      ['report', 'run', 'Amounts', '--parameter', 'region=a'],
    ],
    [2, /--format must be/, ['report', 'run', 'Amounts', '--format', 'constructor']],
    [2, /must end in/, ['upload', join(directory, 'orders.exe'), '--source', 'Files']],
    [1, /no data source Sales/, ['upload', file, '--source', 'Sales']],
    [1, /missing[.]csv/, ['upload', join(directory, 'missing.csv'), '--source', 'Files']],
    [2, /no access to the organization Other/, ['report', 'run', 'Amounts', '--organization', 'Other']],
  ] as const;
  for (const [code, message, words] of failures) {
    const exit = await run(...words);
    assert.equal(exit.code, code, exit.errorOutput);
    assert.match(exit.errorOutput, message);
  }
  assert.deepEqual(readdirSync(directory).toSorted(), ['2026 Orders-all.csv', 'amounts.parquet']);
});

describe('completion', () => {
  const complete = (script: string, words: readonly string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const run = `${script}\nCOMP_WORDS=(atrium ${quoted}); COMP_CWORD=${words.length}; _atrium; echo "\${COMPREPLY[*]}"`;
    return spawnSync('bash', ['-c', run], { encoding: 'utf8' }).stdout.trim().split(' ');
  };

  test('of bash offers words and options', async () => {
    const { output } = await runIn({}, ['completion', 'bash']);
    assert.deepEqual(complete(output, ['rep']), ['report', 'reports']);
    assert.deepEqual(complete(output, ['report', '']), ['run']);
    assert.deepEqual(complete(output, ['report', 'run', 'Sales', '--for']), ['--format']);
    assert.deepEqual(complete(output, ['upload', 'file.csv', '--so']), ['--source']);
    assert.ok(complete(output, ['']).includes('server'));
  });

  for (const shell of ['bash', 'zsh', 'fish'])
    test(`of ${shell} names every command and option`, async () => {
      const { code, output } = await runIn({}, ['completion', shell]);
      assert.equal(code, 0);
      for (const { name, options } of commands) {
        assert.ok(output.includes(name), name);
        for (const option of options) assert.ok(output.includes(`--${option.name}`), option.name);
      }
      const program = `/usr/bin/${shell}`;
      if (existsSync(program))
        assert.equal(spawnSync(program, ['-n'], { input: output, encoding: 'utf8' }).stderr, '');
    });

  test('of another shell is refused', async () => {
    assert.equal((await runIn({}, ['completion', 'constructor'])).code, 2);
  });
});
