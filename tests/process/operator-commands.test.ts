import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, type CommandOutcome } from '../../src/server/commands/run-command.ts';
import { describeOnBothEngines, startTestServer } from '../support/server/test-server.ts';

const publicUrl = 'https://atrium.example';

describeOnBothEngines('the commands of operators', (engine) => {
  test('grant and revoke the permission at once, and list the operators', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const { database, secretBox } = server;
    const run = (...words: string[]): Promise<CommandOutcome> =>
      runCommand(words, async () => ({
        database,
        secretBox,
        publicUrl,
        clock: Date.now,
        close: async () => {},
      }));
    const done = (output: string): CommandOutcome => ({ exitCode: 0, output, errorOutput: '' });
    const status = async () => (await server.call('GET /api/server', { as: ada })).status;

    assert.deepEqual(await run('operator', 'list'), done('no operators'));
    assert.deepEqual(
      await run('operator', 'grant', '--email', ada.email.toUpperCase()),
      done(`${ada.email} is an operator`),
    );
    assert.deepEqual([await status(), await run('operator', 'list')], [200, done(ada.email)]);
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
    const { database, secretBox } = server;
    const clock = () => Date.UTC(2026, 10, 21, 9);
    const run = (...words: string[]): Promise<CommandOutcome> =>
      runCommand(words, async () => ({ database, secretBox, publicUrl, clock, close: async () => {} }));
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
    const common = await run('user', 'create', '--email', 'bob@example.com', '--password', 'password2026');
    assert.equal(common.exitCode, 2);
    assert.match(common.errorOutput, /--password must not be a common password/);
  });
});
