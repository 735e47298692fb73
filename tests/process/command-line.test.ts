import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSecretBox } from '../../src/server/base/credentials/secret-box.ts';
import { runCommand } from '../../src/server/commands/run-command.ts';
import { findFirstConfiguration } from '../../src/server/sso/configuration/store.ts';
import { openDatabase } from '../../src/server/storage/open-database.ts';
import type { Owner } from '../support/endings.ts';
import {
  freshPlace,
  ownerSettings,
  runCommandLine,
  send,
  signInOwner,
  startServerProcess,
  type Environment,
  type ProgramExit,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

const anId = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** Runs a command line for which nothing may be opened, such as an incorrect one. */
const runUnopened = (words: readonly string[]) =>
  runCommand(words, '1.2.3', () => {
    throw new Error('The settings were read.');
  });

describe('the command line', () => {
  const commands = [
    { name: 'user create', options: ['--email', '--name', '--password-stdin'] },
    { name: 'user list', options: ['--json'] },
    { name: 'user reset-second-factor', options: ['--email'] },
    { name: 'user disable', options: ['--user'] },
    { name: 'user enable', options: ['--user'] },
    { name: 'organization create', options: ['--name', '--owner'] },
    { name: 'organization export', options: ['--organization'] },
    { name: 'session create', options: ['--email'] },
    { name: 'operator grant', options: ['--email'] },
    { name: 'operator revoke', options: ['--email'] },
    { name: 'operator list', options: [] },
    { name: 'backup', options: ['--without-key', '--dump'] },
    { name: 'verify', options: ['--rate', '--json'] },
    { name: 'restore', options: ['--json'] },
    { name: 'migrate', options: ['--dry-run', '--json'] },
    { name: 'secrets rotate', options: [] },
    { name: 'secrets discard', options: [] },
    { name: 'dashboards export', options: ['DIR', '--organization'] },
    { name: 'dashboards import', options: ['DIR', '--organization', '--dry-run', '--as'] },
    { name: 'models export', options: ['FILE', '--organization', '--source', '--ossie'] },
    { name: 'models import', options: ['FILE', '--organization', '--source', '--dry-run'] },
  ];

  for (const { name, options } of commands) {
    test(`shows the options of ${name}`, async () => {
      const help = await runUnopened([...name.split(' '), '--help']);
      assert.deepEqual({ ...help, output: '' }, { exitCode: 0, output: '', errorOutput: '' });
      assert.ok(help.output.startsWith(`npm run atrium -- server ${name} `), help.output);
      for (const option of [...options, '--help'])
        assert.ok(help.output.includes(`  ${option} `), help.output);

      const { exitCode, output, errorOutput } = await runUnopened([...name.split(' '), '--colour', 'blue']);
      assert.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
      assert.match(errorOutput, /--colour/);
      assert.ok(errorOutput.endsWith(`\n\n${help.output}`), errorOutput);
    });
  }

  test('is a program that names every missing option and exits with 2', async (context) => {
    // The data directory can't be opened, which shows that the program doesn't open it.
    const environment = { ATRIUM_DATA_DIR: '/dev/null/data' };
    const [help, missing] = await Promise.all([
      runCommandLine(context, ['organization', 'create', '--help'], { environment }),
      runCommandLine(context, ['organization', 'create'], { environment }),
    ]);
    assert.deepEqual({ code: help.code, errorOutput: help.errorOutput }, { code: 0, errorOutput: '' });
    assert.deepEqual({ code: missing.code, output: missing.output }, { code: 2, output: '' });
    assert.equal(missing.errorOutput, `--name is required.\n--owner is required.\n\n${help.output}`);
  });

  test('prints its version', async () => {
    assert.deepEqual(await runUnopened(['--version']), { exitCode: 0, output: '1.2.3', errorOutput: '' });
  });

  test('lists its commands if none is given', async () => {
    const none = await runUnopened([]);
    for (const { name } of commands) assert.ok(none.output.includes(`  ${name} `), none.output);
    assert.deepEqual({ ...none, output: '' }, { exitCode: 0, output: '', errorOutput: '' });
    assert.deepEqual(await runUnopened(['--help']), none);
    assert.deepEqual(await runUnopened(['user', 'destroy']), {
      exitCode: 2,
      output: '',
      errorOutput: `Unknown command.\n\n${none.output}`,
    });
  });
});

describeOnUsualEngine('the command line next to a running server', (engine) => {
  test('creates an account, an organization and a session that the server accepts', async (context) => {
    const environment = await freshPlace(context, engine);
    const server = await startServerProcess(context, { environment });
    const run = commandLine(context, environment);

    const user = await run('user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada');
    const [, userId, password = ''] =
      new RegExp(`^user: (${anId})\nemail: ada@example\\.com\npassword: (\\S{43})\n$`).exec(user.output) ??
      [];
    assert.ok(userId, user.output + user.errorOutput);
    const organization = await run(
      'organization',
      'create',
      '--name',
      'Engines',
      '--owner',
      'ada@example.com',
    );
    const [, organizationId] = new RegExp(`^organization: (${anId})\n$`).exec(organization.output) ?? [];
    assert.ok(organizationId, organization.output + organization.errorOutput);
    const session = await run('session', 'create', '--email', 'ada@example.com');
    assert.match(session.output, /^[\w-]{43}\n$/);

    const ada = { url: server.url, cookie: `auth.session_token=${session.output.trim()}` };
    const signedIn = await send(ada, 'GET /api/auth/get-session');
    assert.deepEqual(
      [signedIn.status, signedIn.body.user, signedIn.body.session.method],
      [200, { id: userId, email: 'ada@example.com', name: 'Ada' }, 'operator'],
    );
    const dashboard = await send(ada, 'POST /api/dashboards', { body: { name: 'Sales', organizationId } });
    assert.equal(dashboard.status, 201);
    const byPassword = await send(server, 'POST /api/auth/sign-in/email', {
      body: { email: 'ada@example.com', password },
    });
    assert.equal(byPassword.status, 200);

    const refused = await Promise.all([
      run('user', 'create', '--email', 'ada@example.com'),
      run('user', 'create', '--email', 'nobody'),
      run('session', 'create', '--email', 'eve@example.com'),
    ]);
    assert.deepEqual(
      refused.map(({ code, output, errorOutput }) => `${code} ${output}${errorOutput.split('\n')[0]}`),
      [
        '1 An account with this email address already exists.',
        '1 email must be an email address',
        '2 There is no account with the email address eve@example.com.',
      ],
    );
  });

  test('reads a password from standard input, which no other program sees', async (context) => {
    const environment = await freshPlace(context, engine);
    const words = ['user', 'create', '--email', 'ada@example.com', '--password-stdin', '--json'];
    const program = fileURLToPath(new URL('../../src/atrium.js', import.meta.url));
    const child = spawn(process.execPath, [program, 'server', ...words], {
      env: { ...environment, ATRIUM_PUBLIC_URL: 'https://atrium.example' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('the password of Ada\n');
    const output = await text(child.stdout);
    assert.match(output, /"email":"ada@example.com"/);
    assert.doesNotMatch(output, /password/);
  });

  test('rotates secrets to the first key, and none that are under an unknown key', async (context) => {
    const place = await freshPlace(context, engine);
    const oldKey = 'the old root key of this server and more';
    const newKey = 'the new root key of this server and more';
    const under = (keys: string) => ({ ...place, ...ownerSettings, ATRIUM_SECRET_KEY: keys });
    const clientSecret = 'canary-7c2d4 of the client';
    const server = await startServerProcess(context, { environment: under(oldKey) });
    const owner = await signInOwner(server);
    const path = `/api/sso/orgs/${owner.organizationId}/config`;
    const configuration = {
      provider: 'idp_ad',
      clientId: 'client',
      emailDomains: ['example.com'],
      enabled: true,
    };
    const saved = await send(owner, `POST ${path}`, { body: { ...configuration, clientSecret } });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    await server.end('SIGTERM');

    const sealed = await storedSecret(place, owner.organizationId);
    const open = (key: string, text: string) =>
      createSecretBox([key]).open(owner.organizationId, 'sso-client-secret', text);
    assert.equal(open(oldKey, sealed), clientSecret);

    const wrong = await runCommandLine(context, ['secrets', 'rotate'], { environment: under(newKey) });
    assert.deepEqual({ code: wrong.code, output: wrong.output }, { code: 1, output: '' });
    assert.match(wrong.errorOutput, /encrypted with a key that is not in ATRIUM_SECRET_KEY/);
    assert.doesNotMatch(wrong.errorOutput, /^ +at /m, 'a message is not a stack trace');
    assert.equal(await storedSecret(place, owner.organizationId), sealed);

    const both = await startServerProcess(context, { environment: under(`${newKey},${oldKey}`) });
    const run = commandLine(context, under(`${newKey},${oldKey}`));
    assert.equal((await run('secrets', 'rotate')).output, 'secrets re-encrypted: 1\n');
    assert.equal((await run('secrets', 'rotate')).output, 'secrets re-encrypted: 0\n');
    await both.end('SIGTERM');

    const resealed = await storedSecret(place, owner.organizationId);
    assert.equal(open(newKey, resealed), clientSecret);
    assert.throws(() => open(oldKey, resealed));
    const newOnly = await startServerProcess(context, { environment: under(newKey) });
    const { body } = await send({ ...owner, url: newOnly.url }, `GET ${path}`);
    assert.deepEqual(body, saved.body);
    assert.ok(![server, both, newOnly].some(({ output }) => output().includes('canary-7c2d4')));
  });

  test('can be the first to open the database, and run several times at once', async (context) => {
    const run = commandLine(context, await freshPlace(context, engine));
    const exits = await Promise.all(
      ['ada', 'bob', 'eve', 'joe'].map((name) => run('user', 'create', '--email', `${name}@example.com`)),
    );
    assert.deepEqual(
      exits.map(({ code, errorOutput }) => `${code} ${errorOutput}`),
      Array(4).fill('0 '),
    );
    const again = await run('user', 'create', '--email', 'ada@example.com');
    assert.equal(again.code, 1);
  });
});

const commandLine =
  (owner: Owner, environment: Environment) =>
  (...words: string[]): Promise<ProgramExit> =>
    runCommandLine(owner, words, { environment });

/** Returns the stored client secret of an organization. */
async function storedSecret(
  place: Environment & { ATRIUM_DATA_DIR: string },
  organizationId: string,
): Promise<string> {
  const database = await openDatabase({
    databaseUrl: place['DATABASE_URL'],
    dataDirectory: place.ATRIUM_DATA_DIR,
  });
  try {
    const stored = await findFirstConfiguration(database, organizationId);
    return stored?.clientSecret ?? '';
  } finally {
    await database.close();
  }
}
