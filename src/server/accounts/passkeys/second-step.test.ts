import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  challengeCookieOf,
  cookiesOf,
  sendPasskey,
  TestPasskey,
  type Forgery,
} from '../../../../tests/support/credentials/authenticator.ts';
import { foreignResponses, startPasskeyOffice } from '../../../../tests/support/credentials/passkeys.ts';
import { enterPassword, password } from '../../../../tests/support/organizations/second-factors.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
  type TestResponse,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../base/clock.ts';
import { prepare } from '../../storage/prepared-query.ts';

const refused = { status: 401, code: 'invalid_credentials' };
const expired = { status: 400, code: 'sign_in_expired' };
const start = 'POST /api/auth/sign-in/second-factor/options';
const setHost = prepare((sql, p: { host: string }) => sql.updateTable('passkeys').set({ host: p.host }));

/** Enters the password, and asks for a challenge. Returns the options, and the cookies of both. */
async function begin(server: TestServer, person: Person) {
  const { cookie } = await enterPassword(server, person, password);
  const started = await server.call(start, { headers: { cookie } });
  assert.equal(started.status, 200, started.text);
  return { started, options: started.body, cookie: `${cookie}; ${challengeCookieOf(started)}` };
}

const send = (server: TestServer, cookie: string, assertion: object): Promise<TestResponse> =>
  server.call('POST /api/auth/sign-in/second-factor', {
    headers: { cookie },
    body: { method: 'passkey', assertion },
  });

/** Signs in with a password and a passkey that says something else than the truth. */
async function forge(server: TestServer, person: Person, passkey: TestPasskey, forgery: Forgery) {
  const { options, cookie } = await begin(server, person);
  return send(server, cookie, passkey.sign(options, forgery));
}

describeOnUsualEngine('a passkey after the password', (engine) => {
  test('signs in, and is recorded', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const { response } = await enterPassword(server, ada.person, password);
    assert.deepEqual(response.body.methods, ['passkey', 'recovery_code']);
    const { options, cookie } = await begin(server, ada.person);
    const { challenge, ...rest } = options;
    assert.match(challenge, /^[\w-]{43}$/);
    assert.deepEqual(rest, {
      rpId: 'localhost',
      timeout: minutesMs(5),
      userVerification: 'required',
      allowCredentials: [{ id: ada.passkey.id, type: 'public-key', transports: ['internal'] }],
    });
    const signedIn = await send(server, cookie, ada.passkey.sign(options));
    assert.deepEqual([signedIn.status, signedIn.body.user.id], [200, ada.person.id]);
    const { body } = await server.call('GET /api/auth/second-factors', { as: ada.person });
    assert.equal(body.passkeys[0].lastUsedAt, '2026-11-21T09:00:00.000Z');
    const audit = await server.call(
      `GET /api/organizations/${ada.organizationId}/audit?action=sign_in.succeeded`,
      { as: ada.person },
    );
    assert.deepEqual(audit.body.items[0].details, {
      method: 'password',
      secondFactor: 'passkey',
      email: ada.person.email,
      address: '127.0.0.1',
    });
  });

  test('is refused if any field is forged', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const forgeries: readonly (readonly [string, Forgery])[] = [
      ...foreignResponses,
      ['no challenge', { challenge: '' }],
      ['the response of adding', { type: 'webauthn.create' }],
      ['nobody present', { flags: 0b100 }],
      ['nobody verified', { flags: 0b001 }],
      ['another key', { privateKey: new TestPasskey().privateKey }],
      ['another user handle', { userHandle: 'A'.repeat(43) }],
      ['an unknown credential', { id: new TestPasskey().id }],
    ];
    for (const [what, forgery] of forgeries) {
      server.advance(minutesMs(15));
      assert.deepEqual(problemOf(await forge(server, ada.person, ada.passkey, forgery)), refused, what);
    }
    const { options, cookie } = await begin(server, ada.person);
    const { id, response } = ada.passkey.sign(options);
    const cut = { id, response: { ...response, authenticatorData: response.authenticatorData.slice(0, 40) } };
    assert.deepEqual(problemOf(await send(server, cookie, cut)), refused, 'a truncated response');
    const withoutHandle = await forge(server, ada.person, ada.passkey, { userHandle: undefined });
    assert.equal(withoutHandle.status, 200, 'the account is known already');
  });

  test('must be one of the account, for a challenge of the account and of this step', async (context) => {
    const { server, ada, createAccount } = await startPasskeyOffice(context, engine);
    const eve = await createAccount('Eve');
    const hers = await begin(server, ada.person);
    const passkeyOfEve = await send(server, hers.cookie, eve.passkey.sign(hers.options));
    assert.deepEqual(problemOf(passkeyOfEve), refused, 'the passkey of another account');
    // Eve knows Ada's password, and makes Ada's passkey sign a challenge of Eve's.
    const ofAda = await enterPassword(server, ada.person, password);
    const ofEve = await begin(server, eve.person);
    const mixed = `${ofAda.cookie}; ${challengeCookieOf(ofEve.started)}`;
    const stolen = await send(server, mixed, ada.passkey.sign(ofEve.options));
    assert.deepEqual(problemOf(stolen), refused, 'the challenge of another account');
    const adding = await server.call('POST /api/auth/passkeys/options', { as: ada.person });
    const purpose = `${ofAda.cookie}; ${challengeCookieOf(adding)}`;
    assert.deepEqual(
      problemOf(await send(server, purpose, ada.passkey.sign(adding.body, { rpId: 'localhost' }))),
      refused,
      'the challenge of another purpose',
    );
    const next = await begin(server, ada.person);
    assert.equal((await send(server, next.cookie, ada.passkey.sign(next.options))).status, 200);
  });

  test('signs each challenge once, within five minutes, in the browser that asked', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const first = await begin(server, ada.person);
    const assertion = ada.passkey.sign(first.options);
    assert.equal((await send(server, first.cookie, assertion)).status, 200);
    assert.deepEqual(problemOf(await send(server, first.cookie, assertion)), expired);
    const { cookie: again } = await enterPassword(server, ada.person, password);
    const replayed = `${again}; ${challengeCookieOf(first.started)}`;
    assert.deepEqual(problemOf(await send(server, replayed, assertion)), refused, 'it was used');
    const failed = await begin(server, ada.person);
    await send(server, failed.cookie, ada.passkey.sign(failed.options, { flags: 0 }));
    const retried = await send(server, failed.cookie, ada.passkey.sign(failed.options));
    assert.deepEqual(problemOf(retried), refused, 'a failure uses it up, too');
    const elsewhere = await begin(server, ada.person);
    const { cookie: other } = await enterPassword(server, ada.person, password);
    const withoutCookie = await send(server, other, ada.passkey.sign(elsewhere.options));
    assert.deepEqual(problemOf(withoutCookie), refused);
    const late = await begin(server, ada.person);
    server.advance(minutesMs(5));
    assert.deepEqual(problemOf(await send(server, late.cookie, ada.passkey.sign(late.options))), refused);
    const { status } = await server.call(start);
    assert.equal(status, 400, 'without a password, there is no challenge');
  });

  test('is refused and recorded as a possible copy if its counter goes backwards', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const use = async (forgery: Forgery) => forge(server, ada.person, ada.passkey, forgery);
    assert.equal((await use({ counter: 0 })).status, 200);
    assert.equal((await use({ counter: 4_294_967_295 - 1 })).status, 200);
    for (const counter of [4_294_967_294, 7, 0]) {
      assert.deepEqual(problemOf(await use({ counter })), refused, `${counter}`);
    }
    const forged = await use({ counter: 3, privateKey: new TestPasskey().privateKey });
    assert.deepEqual(problemOf(forged), refused);
    const path = `/api/organizations/${ada.organizationId}/audit`;
    const { body } = await server.call(`GET ${path}?action=account.passkey_refused`, { as: ada.person });
    const { email } = ada.person;
    assert.deepEqual(
      body.items.map(({ details }: { details: object }) => details),
      [0, 7, 4_294_967_294].map((counter) => ({
        email,
        name: 'Laptop',
        address: '127.0.0.1',
        before: 4_294_967_294,
        counter,
      })),
      'nobody without the key causes an entry',
    );
    assert.equal((await use({ counter: 4_294_967_295 })).status, 200);
  });

  test('stays required when the server gets another host, and then a recovery code is accepted', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    await server.database.write((transaction) => transaction.run(setHost, { host: 'old.example.com' }));
    const { response, cookie } = await enterPassword(server, ada.person, password);
    assert.deepEqual(response.body.methods, ['recovery_code']);
    const started = await server.call(start, { headers: { cookie } });
    assert.deepEqual(started.body.allowCredentials, []);
    const both = `${cookie}; ${challengeCookieOf(started)}`;
    assert.deepEqual(problemOf(await send(server, both, ada.passkey.sign(started.body))), refused);
    const [code = ''] = ada.recoveryCodes;
    const recovered = await server.call('POST /api/auth/sign-in/second-factor', {
      headers: { cookie },
      body: { method: 'recovery_code', code },
    });
    assert.equal(recovered.status, 200);
    const { body } = await server.call('GET /api/auth/second-factors', { as: ada.person });
    const { host, isUsable } = body.passkeys[0];
    assert.deepEqual([host, isUsable], ['old.example.com', false]);
    const added = await sendPasskey(server, ada.person, (options) => new TestPasskey().make(options), 'New');
    assert.equal(added.status, 200, 'a passkey for the new host');
    assert.equal(added.body.endedSessions, 0);
  });

  test('is limited like other proofs, and bodies are small', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const { options, cookie } = await begin(server, ada.person);
    const { id, response } = ada.passkey.sign(options);
    const invalid = [
      { id: 'A'.repeat(1_365), response },
      { id, response: { ...response, clientDataJSON: 'A'.repeat(8_001) } },
      { id, response: { ...response, signature: 'not base64url' } },
      { id },
    ];
    for (const assertion of invalid)
      assert.equal(problemOf(await send(server, cookie, assertion)).code, 'invalid_body');
    const huge = await send(server, cookie, { id, response, padding: 'x'.repeat(65 * 1024) });
    assert.deepEqual(problemOf(huge), { status: 413, code: 'body_too_large' });
    assert.equal((await send(server, cookie, { id, response })).status, 200, 'none of them was read');
    const pending = await enterPassword(server, ada.person, password);
    for (let attempt = 0; attempt < 5; attempt += 1)
      assert.deepEqual(problemOf(await send(server, pending.cookie, { id, response })), refused);
    assert.deepEqual(problemOf(await server.call(start, { headers: { cookie: pending.cookie } })), expired);
  });

  test('signs a challenge that confirms no identity', async (context) => {
    const { server, ada } = await startPasskeyOffice(context, engine);
    const { options, cookie } = await begin(server, ada.person);
    const body = { password, secondFactor: { method: 'passkey', assertion: ada.passkey.sign(options) } };
    const confirmed = await server.call('POST /api/auth/confirm', {
      headers: {
        cookie: cookiesOf(await server.call(start, { headers: { cookie } }), ada.person).cookie,
      },
      body,
    });
    assert.deepEqual(problemOf(confirmed), refused, 'a challenge of signing in confirms nothing');
  });
});
