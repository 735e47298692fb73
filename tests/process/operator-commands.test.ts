import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '../../src/cli/usage/printable.ts';
import type { CommandOutcome } from '../../src/server/commands/run-command.ts';
import { storePasskey } from '../support/credentials/authenticator.ts';
import { runOn } from '../support/server/commands.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Person,
  type TestServer,
} from '../support/server/test-server.ts';

interface Item {
  readonly id: string;
  readonly isOperator: boolean;
  readonly disabledAt?: string;
}

const statusOf = async (server: TestServer, as: Person): Promise<number> =>
  (await server.call('GET /api/auth/get-session', { as })).status;

describeOnUsualEngine('the commands of operators', (engine) => {
  test('grant and revoke the permission at once, and list the operators', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const run = (...words: string[]) => runOn(server, words);
    const done = (output: string): CommandOutcome => ({ exitCode: 0, output, errorOutput: '' });
    const status = async () => (await server.call('GET /api/server', { as: ada })).status;

    assert.deepEqual(await run('operator', 'list'), done('no operators'));
    assert.deepEqual(
      await run('operator', 'grant', '--email', ada.email.toUpperCase()),
      done(
        `${ada.email} is an operator\n` +
          'For the server’s page, the account needs a passkey or an authenticator app, set up under Account.',
      ),
    );
    assert.deepEqual([await status(), await run('operator', 'list')], [403, done(ada.email)]);
    await storePasskey(server, ada);
    assert.equal(await status(), 200);
    assert.deepEqual(
      await run('operator', 'grant', '--email', ada.email),
      done(`${ada.email} is an operator`),
    );
    assert.deepEqual(
      await run('operator', 'revoke', '--email', ada.email),
      done(`${ada.email} is no longer an operator`),
    );
    assert.equal(await status(), 403);
    const unknown = await run('operator', 'grant', '--email', 'nobody@example.com');
    assert.equal(unknown.exitCode, 2);
    assert.match(unknown.errorOutput, /There is no account with the email address nobody@example\.com\./);
  });

  test('print a link for choosing a new password', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const clock = () => Date.UTC(2026, 10, 21, 9);
    const run = (...words: string[]) => runOn(server, words, { clock });
    const { exitCode, output } = await run(
      'user',
      'reset-password',
      '--email',
      ` ${ada.email.toUpperCase()}`,
    );
    assert.equal(exitCode, 0);
    const [, token] = /^https:\/\/atrium\.example\/reset-password#([\w-]{43})$/.exec(output) ?? [];
    const body = { token, newPassword: 'correct horse battery' };
    assert.equal((await server.call('POST /api/auth/reset-password', { body })).status, 200);
    assert.equal((await run('user', 'reset-password', '--email', 'nobody@example.com')).exitCode, 2);
  });

  test('create an account with a password from standard input', async (context) => {
    const server = await startTestServer(context, engine);
    const create = (input: string) =>
      runOn(server, ['user', 'create', '--email', 'bob@example.com', '--password-stdin'], { input });
    const common = await create('password2026\n');
    assert.equal(common.exitCode, 2);
    assert.match(common.errorOutput, /^The password must not be a common password/);
    assert.equal((await create('')).exitCode, 2);
    const created = await create('a stapled horse\r\n');
    assert.deepEqual([created.exitCode, created.output.includes('stapled')], [0, false]);
    const body = { email: 'bob@example.com', password: 'a stapled horse' };
    assert.equal((await server.call('POST /api/auth/sign-in/email', { body })).status, 200);
  });

  test('list, disable and enable accounts, by their email address or id', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const eve = await server.createPerson('Eve \u001b[2J');
    const run = (...words: string[]) => runOn(server, words);
    await run('operator', 'grant', '--email', ada.email);
    const disabled = await run('user', 'disable', '--user', ada.email, '--json');
    assert.deepEqual(
      [disabled.exitCode, JSON.parse(disabled.output)],
      [0, { user: { id: ada.id, email: ada.email, name: 'Ada' }, endedSessions: 0 }],
    );
    assert.equal(await statusOf(server, ada), 401);
    assert.equal((await run('user', 'disable', '--user', ada.id)).output, `${ada.email} is already disabled`);
    const list = await run('user', 'list');
    const [first = '', second = ''] = list.output.split('\n');
    assert.match(first, new RegExp(`^${ada.id}  ${ada.email}  Ada  operator, disabled since 20`));
    assert.equal(second, `${eve.id}  ${printable(eve.email)}  Eve  [2J`);
    const { items } = JSON.parse((await run('user', 'list', '--json')).output);
    assert.deepEqual(
      items.map(({ id, isOperator, disabledAt }: Item) => [id, isOperator, disabledAt !== undefined]),
      [
        [ada.id, true, true],
        [eve.id, false, false],
      ],
    );
    assert.equal((await run('user', 'enable', '--user', ada.id)).output, `${ada.email} is enabled`);
    assert.equal((await run('user', 'enable', '--user', ada.id)).output, `${ada.email} is not disabled`);
    assert.equal((await run('user', 'disable', '--user', 'nobody@example.com')).exitCode, 2);
  });
});
