import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  codeOf,
  enterPassword,
  factorsOf,
  methodsOf,
  password,
  setUpApp,
  startOffice,
} from '../../../../tests/support/organizations/second-factors.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { confirmationMs } from '../../base/credentials/confirmation.ts';
import { createSecretBox } from '../../base/credentials/secret-box.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { hashToken } from '../../base/credentials/tokens.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { discardAppSecrets, listSealedAppSecrets, rotateAppSecrets } from './secrets.ts';
import { resetSecondFactors } from './factors.ts';

const stepMs = 30_000;
const notFound = { status: 404, code: 'not_found' };
const allCodes = prepare((sql) => sql.selectFrom('recovery_codes').select('code_hash as codeHash'));

async function auditedActions(server: TestServer, as: Person, organizationId: string): Promise<string[]> {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/audit`, { as });
  return body.items
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action.startsWith('account.'));
}

describeOnUsualEngine('second factors', (engine) => {
  test('an app is set up with one of its codes, ends the other sessions, and is reported', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const other = await server.call('POST /api/auth/sign-in/email', {
      body: { email: ada.email, password },
    });
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
    const confirm = (code: string) =>
      server.call('POST /api/auth/authenticator-app/confirm', { as: ada, body: { code } });
    assert.deepEqual(problemOf(await confirm('123456')), notFound, 'it has not been started');
    const started = await server.call('POST /api/auth/authenticator-app', { as: ada });
    const { secret, uri } = started.body;
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.equal(
      uri,
      `otpauth://totp/Atrium%20(localhost%3A3000):${encodeURIComponent(ada.email)}` +
        `?issuer=Atrium%20(localhost%3A3000)&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    assert.deepEqual(await methodsOf(server, ada), [], 'it has no effect yet');
    assert.deepEqual(problemOf(await confirm('12345')), { status: 401, code: 'invalid_credentials' });

    const confirmed = await confirm(codeOf(server, secret));
    assert.deepEqual([confirmed.status, confirmed.body.endedSessions], [200, 1]);
    assert.deepEqual(await factorsOf(server, ada), {
      authenticatorApp: { createdAt: '2026-11-21T09:00:00.000Z' },
      passkeys: [],
      recoveryCodes: 10,
    });
    assert.deepEqual(await methodsOf(server, ada), ['authenticator_app', 'recovery_code']);
    const cookie = String(other.headers['set-cookie']).split(';')[0] ?? '';
    assert.equal((await server.call('GET /api/auth/get-session', { headers: { cookie } })).status, 401);
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [[ada.email, 'An authenticator app was added to your Atrium account']],
    );
    assert.deepEqual(await auditedActions(server, ada, organizationId), ['account.authenticator_app_added']);
    assert.deepEqual(problemOf(await confirm(codeOf(server, secret))), notFound, 'it waits for no code');
  });

  test('neither the secret nor a recovery code is stored readably', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { secret, recoveryCodes } = await setUpApp(server, ada);
    const [sealed = ''] = await listSealedAppSecrets(server.database);
    assert.match(sealed, /^v1\./);
    assert.ok(!sealed.includes(secret));
    const hashes = (await server.database.all(allCodes, {})).map(({ codeHash }) => codeHash);
    assert.deepEqual(
      hashes.toSorted(),
      recoveryCodes.map((code) => hashToken(code.replaceAll('-', ''))).toSorted(),
    );
    assert.throws(() => server.secretBox.open('another account', 'authenticator-app', sealed));
  });

  test('changing them needs a recent confirmation, with the second factor if there is one', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { secret, recoveryCodes } = await setUpApp(server, ada);
    server.advance(confirmationMs);
    const changes = [
      'POST /api/auth/authenticator-app',
      'DELETE /api/auth/authenticator-app',
      'POST /api/auth/recovery-codes',
    ];
    for (const line of [...changes, 'POST /api/auth/authenticator-app/confirm']) {
      const response = await server.call(line, {
        as: ada,
        ...(line.endsWith('confirm') && { body: { code: '1' } }),
      });
      assert.deepEqual(problemOf(response), { status: 403, code: 'confirmation_required' }, line);
    }
    const confirm = (body: object) => server.call('POST /api/auth/confirm', { as: ada, body });
    const app = (code: string) => ({ method: 'authenticator_app', code });
    assert.deepEqual(problemOf(await confirm({ password })), { status: 403, code: 'second_factor_required' });
    const wrong = await confirm({ password: 'wrong', secondFactor: app(codeOf(server, secret)) });
    assert.deepEqual(problemOf(wrong), { status: 401, code: 'invalid_credentials' });
    assert.equal((await confirm({ password, secondFactor: app('000 00') })).status, 401);
    assert.equal((await confirm({ password, secondFactor: app(codeOf(server, secret)) })).status, 204);
    const replayed = await confirm({ password, secondFactor: app(codeOf(server, secret)) });
    assert.equal(replayed.status, 401, 'a code is accepted once');
    const [code = ''] = recoveryCodes;
    assert.equal((await confirm({ password, secondFactor: { method: 'recovery_code', code } })).status, 204);
    const renewed = await server.call('POST /api/auth/recovery-codes', { as: ada });
    assert.equal(renewed.body.items.length, 10);
    const used = { method: 'recovery_code', code: recoveryCodes[1] };
    assert.equal((await confirm({ password, secondFactor: used })).status, 401, 'it was replaced');
  });

  test('an app is replaced without a gap, and removed with the recovery codes', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const before = await setUpApp(server, ada);
    server.advance(stepMs);
    const started = await server.call('POST /api/auth/authenticator-app', { as: ada });
    const { cookie } = await enterPassword(server, ada, password);
    const enter = (secret: string) =>
      server.call('POST /api/auth/sign-in/second-factor', {
        body: { method: 'authenticator_app', code: codeOf(server, secret) },
        headers: { cookie },
      });
    assert.equal((await enter(started.body.secret)).status, 401, 'the new app is not confirmed');
    assert.equal((await enter(before.secret)).status, 200, 'the app before still works');
    const confirmed = await server.call('POST /api/auth/authenticator-app/confirm', {
      as: ada,
      body: { code: codeOf(server, started.body.secret) },
    });
    assert.deepEqual(confirmed.body, { endedSessions: 0 });

    assert.equal((await server.call('DELETE /api/auth/authenticator-app', { as: ada })).status, 204);
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
    for (const line of ['DELETE /api/auth/authenticator-app', 'POST /api/auth/recovery-codes'])
      assert.deepEqual(problemOf(await server.call(line, { as: ada })), notFound);
    const signIn = await server.call('POST /api/auth/sign-in/email', {
      body: { email: ada.email, password },
    });
    assert.equal(signIn.status, 200);
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ subject }) => subject),
      [
        'An authenticator app was added to your Atrium account',
        'The authenticator app of your Atrium account was replaced',
        'The authenticator app was removed from your Atrium account',
      ],
    );
    assert.deepEqual(await auditedActions(server, ada, organizationId), [
      'account.authenticator_app_removed',
      'account.authenticator_app_added',
      'account.authenticator_app_added',
    ]);
  });

  test('the operator removes them for a person who has lost them', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const reset = () => resetSecondFactors(server.database, server.clock, ada.id);
    assert.equal(await reset(), false);
    await setUpApp(server, ada);
    const { cookie } = await enterPassword(server, ada, password);
    assert.equal(await reset(), true);
    const pending = await server.call('POST /api/auth/sign-in/second-factor', {
      body: { method: 'recovery_code', code: 'x' },
      headers: { cookie },
    });
    assert.deepEqual(problemOf(pending), { status: 400, code: 'sign_in_expired' });
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
    assert.equal((await auditedActions(server, ada, organizationId))[0], 'account.second_factors_reset');
  });

  test('only an account with a password has them, and only an unlimited session changes them', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const forbidden = { status: 403, code: 'forbidden' };
    const scoped = await server.createSsoSession(ada, organizationId);
    const withoutPassword = await server.createPerson('Bob');
    for (const as of [scoped, withoutPassword]) {
      assert.deepEqual(problemOf(await server.call('POST /api/auth/authenticator-app', { as })), forbidden);
      assert.deepEqual(problemOf(await server.call('POST /api/auth/recovery-codes', { as })), forbidden);
    }
  });

  test('the secrets move to a new root key, and are discarded with a lost one', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { secret } = await setUpApp(server, ada);
    server.advance(stepMs);
    const { database } = server;
    const old = 'the root key of the tests, 32 characters or more';
    const next = createSecretBox(['another root key of the tests, 32 characters', old]);
    assert.equal(await rotateAppSecrets(database, next), 1);
    assert.ok((await listSealedAppSecrets(database)).every(next.isCurrent));
    const { cookie } = await enterPassword(server, ada, password);
    server.expectErrors();
    const unreadable = await server.call('POST /api/auth/sign-in/second-factor', {
      body: { method: 'authenticator_app', code: codeOf(server, secret) },
      headers: { cookie },
    });
    assert.deepEqual(problemOf(unreadable), { status: 503, code: 'unavailable' });
    assert.equal(await discardAppSecrets(database, server.secretBox), 1);
    assert.deepEqual(await listSealedAppSecrets(database), []);
  });
});
