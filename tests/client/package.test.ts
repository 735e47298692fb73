import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { extract } from 'tar';
import { build } from 'vite';
import { buildClient } from '../../scripts/package/client.ts';
import { startCliServer } from '../support/cli.ts';
import { callAs } from '../support/cli-code.ts';

const root = join(import.meta.dirname, '..', '..');
const documentation = readFileSync(join(root, 'docs', 'api-client.md'), 'utf8');

/** Returns the first example in a language. */
const exampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(documentation)?.[1] ?? '';

/** Runs a program, and returns its output. */
async function run(
  command: string,
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [exitCode]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  assert.equal(exitCode, 0, Buffer.concat(errors).toString());
  return Buffer.concat(output).toString();
}

describe('the package of the client', () => {
  const project = mkdtempSync(join(tmpdir(), 'atrium-client-'));
  after(() => rmSync(project, { recursive: true, force: true }));

  before(async () => {
    const directory = buildClient(root, join(project, 'built'));
    const words = ['pack', directory, '--pack-destination', project, '--offline'];
    const { status, stderr } = spawnSync('npm', words, { cwd: project, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const archive = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
    const installed = join(project, 'node_modules', 'atrium-client');
    mkdirSync(installed, { recursive: true });
    await extract({ file: join(project, archive), cwd: installed, strip: 1 });
    symlinkSync(join(root, 'node_modules', 'typebox'), join(project, 'node_modules', 'typebox'));
    symlinkSync(join(root, 'node_modules', '@types'), join(project, 'node_modules', '@types'));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  });

  test('has the code of the client, types, and nothing else', () => {
    const installed = join(project, 'node_modules', 'atrium-client');
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(files.filter((name) => /[.][a-z]+$/.test(name) && !name.endsWith('.d.ts')).toSorted(), [
      'README.md',
      'lib/client/client.js',
      'lib/client/errors.js',
      'lib/client/operations.js',
      'lib/client/random-id.js',
      'lib/client/requests.js',
      'lib/client/streams.js',
      'package.json',
    ]);
  });

  test('has types by which a compiler accepts the example of the documentation, and refuses mistakes', () => {
    const compile = (code: string): string => {
      writeFileSync(join(project, 'example.ts'), code);
      const options =
        '--ignoreConfig --noEmit --strict --module nodenext --target esnext --skipLibCheck --types node';
      const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      return spawnSync(process.execPath, [compiler, ...options.split(' '), 'example.ts'], {
        cwd: project,
        encoding: 'utf8',
      }).stdout;
    };
    assert.equal(compile(exampleIn('ts')), '');
    const start = `import { createClient, type ProblemOf } from 'atrium-client';\nconst atrium = createClient();\n`;
    for (const mistake of [
      `atrium.call('GET /api/nothing');`,
      `atrium.call('GET /api/dashboards/{dashboardId}');`,
      `atrium.call('POST /api/dashboards', { body: { name: 1 } });`,
      `const code: ProblemOf<'GET /api/dashboards'>['code'] = 'no_such_code';`,
      `const { name } = await atrium.call('GET /api/dashboards');`,
    ])
      assert.match(compile(start + mistake), /^example[.]ts\(3,/, mistake);
  });

  test('runs in Node', async (context) => {
    const cli = await startCliServer(context);
    const { organizationId } = cli;
    for (const name of ['A', 'B', 'C']) await callAs(cli, 'POST /api/dashboards', { name, organizationId });
    writeFileSync(
      join(project, 'list.js'),
      `import { createClient } from 'atrium-client';
      const { ATRIUM_URL: baseUrl, ATRIUM_TOKEN: token } = process.env;
      const atrium = createClient({ baseUrl, token });
      for await (const { name } of atrium.items('GET /api/dashboards', { query: { limit: '2' } })) console.log(name);`,
    );
    const env = { ...process.env, ...cli.environment };
    const output = await run(process.execPath, ['list.js'], { cwd: project, env });
    assert.deepEqual(output.trim().split('\n').toSorted(), ['A', 'B', 'C']);
  });

  test('is small in a page', async () => {
    writeFileSync(
      join(project, 'page.js'),
      `import { createClient } from 'atrium-client';\nglobalThis.atrium = createClient();`,
    );
    const built = await build({
      root: project,
      logLevel: 'silent',
      configFile: false,
      build: { write: false, rolldownOptions: { input: join(project, 'page.js') } },
    });
    assert.ok('output' in built);
    const size = built.output.reduce((sum, part) => sum + ('code' in part ? part.code.length : 0), 0);
    assert.ok(size > 1_000 && size < 8_000, String(size));
  });
});

const withoutPython = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed';

test('the example in Python lists, creates and runs', { skip: withoutPython }, async (context) => {
  const cli = await startCliServer(context);
  const { organizationId } = cli;
  for (let index = 0; index < 60; index += 1)
    await callAs(cli, 'POST /api/dashboards', { name: `D${index}`, organizationId });
  const source = await callAs(cli, `POST /api/organizations/${organizationId}/data-sources`, {
    name: 'Files',
    kind: 'files',
  });
  await callAs(cli, 'POST /api/reports', {
    organizationId,
    dataSourceId: source.id,
    name: 'One',
    query: `select 1 as a, 'ä' as b`,
  });
  const directory = mkdtempSync(join(tmpdir(), 'atrium-python-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'example.py'), exampleIn('python'));
  const env = { ...process.env, ...cli.environment, PYTHONIOENCODING: 'utf-8' };
  const output = await run('python3', ['example.py'], { cwd: directory, env });
  const lines = output.trim().split('\n');
  assert.equal(lines.filter((line) => / D\d+$/.test(line)).length, 60);
  assert.deepEqual(lines.slice(-2), ['a,b', '1,ä']);
  const listed = await callAs(cli, 'GET /api/dashboards?q=From');
  assert.deepEqual(
    listed.items.map(({ name }: { name: string }) => name),
    ['From Python'],
  );
});
