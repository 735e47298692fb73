import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxPasskeys } from '#contract/accounts/passkeys.ts';
import {
  addPasskey,
  challengeCookieOf,
  cookiesOf,
  sendPasskey,
  TestPasskey,
  type Forgery,
} from '../../../../tests/support/credentials/authenticator.ts';
import { foreignResponses } from '../../../../tests/support/credentials/passkeys.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import {
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
import { minutesMs } from '../../base/clock.ts';
import { confirmationMs } from '../../base/credentials/confirmation.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { resetSecondFactors } from '../second-factor/factors.ts';

const refused = { status: 401, code: 'invalid_credentials' };
const forbidden = { status: 403, code: 'forbidden' };
const notFound = { status: 404, code: 'not_found' };
const start = 'POST /api/auth/passkeys/options';

async function audited(server: TestServer, as: Person, organizationId: string) {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/audit`, { as });
  return body.items
    .map(({ action, details }: { action: string; details: object }) => [action, details])
    .filter(([action]: [string]) => action.startsWith('account.'));
}

describeOnUsualEngine('passkeys', (engine) => {
  test('the first one creates recovery codes, ends the other sessions, and is reported', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    await server.call('POST /api/auth/sign-in/email', { body: { email: ada.email, password } });
    const started = await server.call(start, { as: ada });
    const { challenge, user, ...options } = started.body;
    assert.match(challenge, /^[\w-]{43}$/);
    assert.match(user.id, /^[\w-]{43}$/);
    assert.deepEqual(
      { ...options, name: user.name },
      {
        rp: { id: 'localhost', name: 'Atrium' },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: minutesMs(5),
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { credProps: true },
        hints: [],
        name: ada.email,
      },
    );
    assert.match(
      String(started.headers['set-cookie']),
      /^atrium\.passkey=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    const passkey = new TestPasskey();
    const added = await server.call('POST /api/auth/passkeys', {
      headers: cookiesOf(started, ada),
      body: { name: 'Laptop', credential: passkey.make(started.body) },
    });
    assert.equal(added.status, 200, added.text);
    const { id } = added.body.passkey;
    const listed = {
      id,
      name: 'Laptop',
      host: 'localhost',
      isUsable: true,
      createdAt: '2026-11-21T09:00:00.000Z',
    };
    assert.deepEqual(added.body.passkey, listed);
    assert.deepEqual([added.body.recoveryCodes.length, added.body.endedSessions], [10, 1]);
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [listed], recoveryCodes: 10 });
    assert.deepEqual(await methodsOf(server, ada), ['passkey', 'recovery_code']);
    const details = { email: ada.email, name: 'Laptop', endedSessions: 1 };
    assert.deepEqual(await audited(server, ada, organizationId), [['account.passkey_added', details]]);
    await finishAfterResponses(server.app.server);
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [[ada.email, 'A passkey was added to your Atrium account']],
    );

    const second = await server.call(start, { as: ada });
    assert.equal(second.body.user.id, user.id, 'an account has one user handle');
    assert.deepEqual(
      second.body.excludeCredentials.map((credential: { id: string }) => credential.id),
      [passkey.id],
    );
  });

  test('several have names, can be renamed, and are removed with the recovery codes', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const first = await addPasskey(server, ada, 'Laptop');
    const second = await addPasskey(server, ada, 'Phone');
    assert.deepEqual(second.recoveryCodes, []);
    const path = `/api/auth/passkeys/${second.id}`;
    const renamed = await server.call(`PATCH ${path}`, { as: ada, body: { name: 'Old phone' } });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Old phone']);
    for (const name of ['', ' ', 'x'.repeat(101), 'two\nlines']) {
      const response = await server.call(`PATCH ${path}`, { as: ada, body: { name } });
      assert.equal(problemOf(response).code, 'invalid_body', name);
    }
    assert.equal((await server.call(`DELETE ${path}`, { as: ada })).status, 204);
    assert.deepEqual(problemOf(await server.call(`DELETE ${path}`, { as: ada })), notFound);
    assert.equal((await factorsOf(server, ada)).recoveryCodes, 10);
    assert.equal((await server.call(`DELETE /api/auth/passkeys/${first.id}`, { as: ada })).status, 204);
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
    assert.deepEqual(await methodsOf(server, ada), []);
    assert.deepEqual((await audited(server, ada, organizationId))[0], [
      'account.passkey_removed',
      { email: ada.email, name: 'Laptop' },
    ]);
  });

  test('an app and passkeys exist beside each other, and the operator removes both', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    await setUpApp(server, ada);
    await addPasskey(server, ada);
    assert.deepEqual(await methodsOf(server, ada), ['passkey', 'authenticator_app', 'recovery_code']);
    assert.equal((await server.call('DELETE /api/auth/authenticator-app', { as: ada })).status, 204);
    assert.deepEqual(await methodsOf(server, ada), ['passkey', 'recovery_code']);
    assert.equal((await factorsOf(server, ada)).recoveryCodes, 10);
    assert.equal(await resetSecondFactors(server.database, server.clock, ada.id), true);
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
  });

  test('changing them needs a recent confirmation, a password, and a session for the whole account', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const { id } = await addPasskey(server, ada);
    const started = await server.call(start, { as: ada });
    const changes = [
      [start, undefined],
      ['POST /api/auth/passkeys', { name: 'Eve', credential: new TestPasskey().make(started.body) }],
      [`PATCH /api/auth/passkeys/${id}`, { name: 'Eve' }],
      [`DELETE /api/auth/passkeys/${id}`, undefined],
    ] as const;
    const withoutPassword = await server.createPerson('Bob');
    const scoped = await server.createSsoSession(ada, organizationId);
    for (const [line, body] of changes) {
      for (const as of [withoutPassword, scoped])
        assert.deepEqual(problemOf(await server.call(line, { as, body })), forbidden, line);
    }
    server.advance(confirmationMs);
    for (const [line, body] of changes) {
      const response = await server.call(line, { headers: cookiesOf(started, ada), body });
      assert.deepEqual(problemOf(response), { status: 403, code: 'confirmation_required' }, line);
    }
  });

  test('nobody sees, renames or removes those of someone else', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const { id, passkey } = await addPasskey(server, ada);
    const eve = await server.createPerson('Eve');
    await setPassword(server, eve, password);
    assert.deepEqual(await factorsOf(server, eve), { passkeys: [], recoveryCodes: 0 });
    const body = { name: 'Eve' };
    assert.deepEqual(
      problemOf(await server.call(`PATCH /api/auth/passkeys/${id}`, { as: eve, body })),
      notFound,
    );
    assert.deepEqual(problemOf(await server.call(`DELETE /api/auth/passkeys/${id}`, { as: eve })), notFound);
    // A credential belongs to the account that added it first.
    const copied = await sendPasskey(server, eve, (options) =>
      new TestPasskey().make(options, { id: passkey.id }),
    );
    assert.deepEqual(problemOf(copied), refused);
    assert.deepEqual(await methodsOf(server, eve), []);
    assert.equal((await factorsOf(server, ada)).passkeys[0].name, 'Laptop');
  });

  test('what a forged authenticator or a page of another site made is never added', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const forgeries: readonly (readonly [string, Forgery])[] = [
      ...foreignResponses,
      ['the response of a sign-in', { type: 'webauthn.get' }],
      ['nobody present', { flags: 0b1000100 }],
      ['nobody verified', { flags: 0b1000001 }],
      ['no credential', { flags: 0b0000101 }],
      ['certificates', { format: 'packed', statement: new Map([['x5c', [new Uint8Array(8)]]]) }],
      ['an unknown attestation', { format: 'android-safetynet' }],
      ['an empty signature', { format: 'packed', statement: new Map([['alg', -7]]) }],
    ];
    for (const [what, forgery] of forgeries) {
      const response = await sendPasskey(server, ada, (options) => new TestPasskey().make(options, forgery));
      assert.deepEqual(problemOf(response), refused, what);
    }
    const truncated = await sendPasskey(server, ada, (options) => {
      const { id, response } = new TestPasskey().make(options);
      return { id, response: { ...response, attestationObject: response.attestationObject.slice(0, 90) } };
    });
    assert.deepEqual(problemOf(truncated), refused);
    const other = await sendPasskey(server, ada, (options) => ({
      ...new TestPasskey().make(options),
      id: new TestPasskey().id,
    }));
    assert.deepEqual(problemOf(other), refused, 'another ID');
    assert.deepEqual(await factorsOf(server, ada), { passkeys: [], recoveryCodes: 0 });
  });

  test('a challenge is for one account and one use, and expires', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const eve = await server.createPerson('Eve');
    await setPassword(server, eve, password);
    const add = (as: Person, from: Awaited<ReturnType<TestServer['call']>>) =>
      server.call('POST /api/auth/passkeys', {
        headers: cookiesOf(from, as),
        body: { name: 'Laptop', credential: new TestPasskey().make(from.body) },
      });
    const stolen = await server.call(start, { as: ada });
    assert.deepEqual(problemOf(await add(eve, stolen)), refused, 'it is for Ada');
    assert.deepEqual(problemOf(await add(ada, stolen)), refused, 'it was read');
    const used = await server.call(start, { as: ada });
    assert.equal((await add(ada, used)).status, 200);
    assert.deepEqual(problemOf(await add(ada, used)), refused, 'it was used');
    const late = await server.call(start, { as: ada });
    server.advance(minutesMs(5));
    assert.deepEqual(problemOf(await add(ada, late)), refused, 'it has expired');
    const withoutCookie = await server.call(start, { as: ada });
    const body = { name: 'Laptop', credential: new TestPasskey().make(withoutCookie.body) };
    assert.deepEqual(problemOf(await server.call('POST /api/auth/passkeys', { as: ada, body })), refused);
    const changed = await server.call(start, { as: ada });
    const newPassword = 'another horse battery';
    await server.call('POST /api/auth/change-password', {
      as: ada,
      body: { currentPassword: password, newPassword },
    });
    assert.deepEqual(problemOf(await add(ada, changed)), refused, 'the password was changed');
  });

  test('a session from a directory, which must not see them, confirms identity without their names', async (context) => {
    const { server, ada, organizationId } = await startOffice(context, engine);
    const { passkey } = await addPasskey(server, ada);
    const scoped = await server.createSsoSession(ada, organizationId);
    const namesIn = async (as: Person) =>
      (await server.call('POST /api/auth/confirm/options', { as })).body.allowCredentials.map(
        ({ id }: { id: string }) => id,
      );
    assert.deepEqual(await namesIn(ada), [passkey.id]);
    assert.deepEqual(await namesIn(scoped), []);
  });

  test('an account has a limited number, and bodies are small', async (context) => {
    const { server, ada } = await startOffice(context, engine);
    const last = await server.call(start, { as: ada });
    for (let count = 0; count < maxPasskeys; count += 1) await addPasskey(server, ada);
    const tooMany = { status: 409, code: 'too_many_passkeys' };
    assert.deepEqual(problemOf(await server.call(start, { as: ada })), tooMany);
    const credential = new TestPasskey().make(last.body);
    const send = (body: object) =>
      server.call('POST /api/auth/passkeys', { headers: cookiesOf(last, ada), body });
    const long = {
      ...credential,
      response: { ...credential.response, attestationObject: 'A'.repeat(16_001) },
    };
    for (const wrong of [long, { ...credential, id: '/' }])
      assert.equal(problemOf(await send({ name: 'Laptop', credential: wrong })).code, 'invalid_body');
    const huge = await send({ name: 'Laptop', credential, padding: 'x'.repeat(65 * 1024) });
    assert.deepEqual(problemOf(huge), { status: 413, code: 'body_too_large' });
    assert.deepEqual(problemOf(await send({ name: 'Laptop', credential })), tooMany);
  });

  test('a server without https or a name has none, whatever the request says', async (context) => {
    for (const url of ['http://atrium.example.com', 'http://192.0.2.7:3000']) {
      const { server, ada } = await startOffice(context, engine, { ATRIUM_PUBLIC_URL: url });
      const response = await server.call(start, {
        as: ada,
        headers: { host: 'localhost', 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' },
      });
      assert.deepEqual(problemOf(response), forbidden, url);
    }
    const { server, ada } = await startOffice(context, engine, {
      ATRIUM_PUBLIC_URL: 'https://atrium.example.com',
    });
    const started = await server.call(start, { as: ada, headers: { 'x-forwarded-host': 'evil.example' } });
    assert.equal(started.body.rp.id, 'atrium.example.com');
    assert.match(challengeCookieOf(started), /^__Host-/);
  });
});
