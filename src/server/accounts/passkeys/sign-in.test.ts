import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  challengeCookieOf,
  cookiesOf,
  TestPasskey,
  type Forgery,
} from '../../../../tests/support/credentials/authenticator.ts';
import {
  foreignResponses,
  startPasskeyOffice,
  type PasskeyAccount,
} from '../../../../tests/support/credentials/passkeys.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { enterPassword, password } from '../../../../tests/support/organizations/second-factors.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../base/clock.ts';
import { confirmationMs } from '../../base/credentials/confirmation.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { addVerifiedDomain } from '../../../../tests/support/sso/verified-domain.ts';
import { setSsoRequirement } from '../../organizations/organizations.ts';
import { disableAccount } from '../disabled-accounts.ts';

const refused = { status: 401, code: 'invalid_credentials' };
const start = 'POST /api/auth/sign-in/passkey/options';

async function begin(server: TestServer) {
  const started = await server.call(start);
  assert.equal(started.status, 200, started.text);
  return { started, options: started.body, cookie: challengeCookieOf(started) };
}

const send = (server: TestServer, cookie: string, assertion: object) =>
  server.call('POST /api/auth/sign-in/passkey', { headers: { cookie }, body: { assertion } });

async function signIn(server: TestServer, passkey: TestPasskey, forgery: Forgery = {}) {
  const { options, cookie } = await begin(server);
  return send(server, cookie, passkey.sign(options, forgery));
}

async function auditOf(server: TestServer, { person, organizationId }: PasskeyAccount, action: string) {
  await finishAfterResponses(server.app.server);
  const { body } = await server.call(`GET /api/organizations/${organizationId}/audit?action=${action}`, {
    as: person,
  });
  return body.items.map(({ details }: { details: object }) => details);
}

describeOnUsualEngine('signing in with a passkey only', (engine) => {
  test('starts a session for the whole account that has confirmed its identity, and is recorded', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const { started } = await begin(server);
    const { challenge, ...rest } = started.body;
    assert.match(challenge, /^[\w-]{43}$/);
    assert.deepEqual(
      rest,
      { rpId: 'localhost', timeout: minutesMs(5), userVerification: 'required', allowCredentials: [] },
      'it names no passkeys',
    );
    const signedIn = await signIn(server, ada.passkey);
    assert.equal(signedIn.status, 200, signedIn.text);
    assert.deepEqual([signedIn.body.user.id, signedIn.body.session.method], [ada.person.id, 'passkey']);
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const path = `/api/organizations/${ada.organizationId}`;
    assert.equal((await server.call(`GET ${path}`, { headers: { cookie } })).status, 200);
    const change = await server.call('POST /api/auth/recovery-codes', { headers: { cookie } });
    assert.equal(change.status, 200, 'a passkey is both factors');
    const { email } = ada.person;
    assert.deepEqual((await auditOf(server, ada, 'sign_in.succeeded'))[0], {
      method: 'passkey',
      passkey: 'Laptop',
      email,
      address: '127.0.0.1',
    });
  });

  test('is refused if any field is forged, without saying what is wrong', async (context) => {
    const { server, ada, createAccount } = await startPasskeyOffice(context, engine);
    const eve = await createAccount('Eve');
    const unknown = new TestPasskey();
    const forgeries: readonly (readonly [string, Forgery])[] = [
      ['an unknown credential', { id: unknown.id }],
      ...foreignResponses,
      ['the response of adding', { type: 'webauthn.create' }],
      ['nobody present', { flags: 0b100 }],
      ['nobody verified', { flags: 0b001 }],
      ['another key', { privateKey: unknown.privateKey }],
      ['the credential of someone else', { id: eve.passkey.id }],
      ['the user handle of someone else', { userHandle: eve.passkey.userHandle }],
      ['no user handle', { userHandle: undefined }],
    ];
    const responses = [];
    for (const [what, forgery] of forgeries) {
      server.advance(minutesMs(15));
      const response = await signIn(server, ada.passkey, forgery);
      assert.deepEqual(problemOf(response), refused, what);
      assert.equal(response.headers['set-cookie'], undefined, what);
      responses.push(response.body.detail);
    }
    assert.equal(new Set(responses).size, 1, 'the responses are the same');
    server.advance(minutesMs(15));
    await signIn(server, ada.passkey, { flags: 0 });
    const { email } = ada.person;
    const as = { ...ada, person: { ...ada.person, token: await tokenOf(server, ada.passkey) } };
    assert.deepEqual((await auditOf(server, as, 'sign_in.refused'))[0], {
      code: 'wrong_passkey',
      message: 'What the passkey signed is not valid, or was already used.',
      address: '127.0.0.1',
      email,
    });
  });

  test('signs each challenge once, within five minutes, in the browser that asked, for signing in', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const first = await begin(server);
    const assertion = ada.passkey.sign(first.options);
    assert.equal((await send(server, first.cookie, assertion)).status, 200);
    assert.deepEqual(problemOf(await send(server, first.cookie, assertion)), refused, 'replayed');
    const mine = await begin(server);
    const elsewhere = await begin(server);
    const stolen = await send(server, mine.cookie, ada.passkey.sign(elsewhere.options));
    assert.deepEqual(problemOf(stolen), refused, 'the challenge of another browser');
    const { status } = await server.call('POST /api/auth/sign-in/passkey', { body: { assertion } });
    assert.equal(status, 401, 'without a cookie');
    const late = await begin(server);
    server.advance(minutesMs(5));
    assert.deepEqual(problemOf(await send(server, late.cookie, ada.passkey.sign(late.options))), refused);

    const { cookie } = await enterPassword(server, ada.person, password);
    const ofOthers = [
      await server.call('POST /api/auth/sign-in/second-factor/options', { headers: { cookie } }),
      await server.call('POST /api/auth/confirm/options', { as: ada.person }),
      await server.call('POST /api/auth/passkeys/options', { as: ada.person }),
    ];
    for (const started of ofOthers) {
      const signed = ada.passkey.sign(started.body, { rpId: 'localhost' });
      assert.deepEqual(problemOf(await send(server, challengeCookieOf(started), signed)), refused);
    }
  });

  test('is refused like a password where the organization requires SSO, and for a disabled account', async (context) => {
    const { server, ada, createAccount } = await startPasskeyOffice(context, engine);
    await server.database.write((transaction) => setSsoRequirement(transaction, ada.organizationId, true));
    await addVerifiedDomain(server, ada.organizationId);
    assert.deepEqual(problemOf(await signIn(server, ada.passkey)), { status: 403, code: 'sso_required' });
    const eve = await createAccount('Eve');
    await server.addMember(ada.organizationId, eve.person, 'viewer');
    const signedIn = await signIn(server, eve.passkey);
    assert.equal(signedIn.status, 200, 'her other organization does not require it');
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const { status } = await server.call(`GET /api/organizations/${ada.organizationId}/members`, {
      headers: { cookie },
    });
    assert.notEqual(status, 200, 'the session does not meet the requirement');
    await disableAccount(server.database, server.clock, eve.person.id);
    assert.deepEqual(problemOf(await signIn(server, eve.passkey)), {
      status: 403,
      code: 'sign_in_refused',
    });
  });

  test('ends when the passkey is removed, and survives a reset of the password', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    await setPassword(server, ada.person, 'another horse battery');
    assert.equal((await signIn(server, ada.passkey)).status, 200);
    const { status } = await server.call(`DELETE /api/auth/passkeys/${ada.id}`, { as: ada.person });
    assert.equal(status, 204);
    assert.deepEqual(problemOf(await signIn(server, ada.passkey)), refused);
  });

  test('keeps to the session policy', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const path = `/api/organizations/${ada.organizationId}/session-policy`;
    const policy = await server.call(`PUT ${path}`, {
      as: ada.person,
      body: { maxSessions: 1, addresses: [] },
    });
    assert.equal(policy.status, 200, policy.text);
    await signIn(server, ada.passkey);
    const { status } = await server.call(`GET /api/organizations/${ada.organizationId}`, { as: ada.person });
    assert.equal(status, 403);
  });

  test('is limited by address, and never for the account', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    for (let count = 0; count < 10; count += 1)
      assert.deepEqual(problemOf(await signIn(server, ada.passkey, { flags: 0 })), refused);
    const blocked = await signIn(server, ada.passkey);
    assert.deepEqual(problemOf(blocked), { status: 429, code: 'too_many_attempts' });
    server.advance(minutesMs(15));
    assert.equal((await signIn(server, ada.passkey)).status, 200);
    const huge = await send(server, '', {
      ...ada.passkey.sign({ challenge: '' }),
      padding: 'x'.repeat(65 * 1024),
    });
    assert.deepEqual(problemOf(huge), { status: 413, code: 'body_too_large' });
  });

  test('is recorded as a possible copy if the counter goes backwards', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    assert.equal((await signIn(server, ada.passkey, { counter: 5 })).status, 200);
    assert.deepEqual(problemOf(await signIn(server, ada.passkey, { counter: 5 })), refused);
    const { email } = ada.person;
    assert.deepEqual(await auditOf(server, ada, 'account.passkey_refused'), [
      { email, name: 'Laptop', address: '127.0.0.1', before: 5, counter: 5 },
    ]);
  });
});

async function tokenOf(server: TestServer, passkey: TestPasskey): Promise<string> {
  const { headers } = await signIn(server, passkey);
  return /=([\w-]{43})/.exec(String(headers['set-cookie']))?.[1] ?? '';
}

describeOnUsualEngine('confirming identity with a passkey', (engine) => {
  const begin = 'POST /api/auth/confirm/options';
  const change = 'POST /api/auth/recovery-codes';

  test('replaces the password and the code', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    server.advance(confirmationMs);
    const required = await server.call(change, { as: ada.person });
    assert.deepEqual(problemOf(required), { status: 403, code: 'confirmation_required' });
    const started = await server.call(begin, { as: ada.person });
    assert.deepEqual(started.body.allowCredentials, [
      { id: ada.passkey.id, type: 'public-key', transports: ['internal'] },
    ]);
    const confirm = (assertion: object) =>
      server.call('POST /api/auth/confirm', { headers: cookiesOf(started, ada.person), body: { assertion } });
    const assertion = ada.passkey.sign(started.body);
    assert.equal((await confirm(assertion)).status, 204);
    assert.equal((await server.call(change, { as: ada.person })).status, 200);
    assert.deepEqual(problemOf(await confirm(assertion)), refused, 'replayed');
  });

  test('accepts no passkey, challenge or purpose of anything else', async (context) => {
    const { server, ada, createAccount } = await startPasskeyOffice(context, engine);
    const eve = await createAccount('Eve');
    server.advance(confirmationMs);
    const send = (cookie: string, assertion: object) =>
      server.call('POST /api/auth/confirm', { headers: { cookie }, body: { assertion } });
    const started = await server.call(begin, { as: ada.person });
    const ofEve = await send(cookiesOf(started, ada.person).cookie, eve.passkey.sign(started.body));
    assert.deepEqual(problemOf(ofEve), refused, 'the passkey of another account');
    const forEve = await server.call(begin, { as: eve.person });
    const stolen = await send(cookiesOf(forEve, ada.person).cookie, ada.passkey.sign(forEve.body));
    assert.deepEqual(problemOf(stolen), refused, 'the challenge of another account');
    const signingIn = await server.call(start);
    const other = await send(cookiesOf(signingIn, ada.person).cookie, ada.passkey.sign(signingIn.body));
    assert.deepEqual(problemOf(other), refused, 'the challenge of another purpose');
    for (const forgery of [{ flags: 1 }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const next = await server.call(begin, { as: ada.person });
      const response = await send(cookiesOf(next, ada.person).cookie, ada.passkey.sign(next.body, forgery));
      assert.deepEqual(problemOf(response), refused);
    }
    const required = await server.call(change, { as: ada.person });
    assert.deepEqual(problemOf(required), { status: 403, code: 'confirmation_required' });
    const [recorded] = await auditOf(server, ada, 'sign_in.refused');
    assert.equal(recorded.code, 'wrong_passkey', 'nobody entered a password');
    for (const body of [{}, { assertion: {} }, { secondFactor: { method: 'recovery_code', code: 'x' } }]) {
      const response = await server.call('POST /api/auth/confirm', { as: ada.person, body });
      assert.equal(problemOf(response).code, 'invalid_body');
    }
  });
});
