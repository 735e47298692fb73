import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { createUser, lockAccount, storePassword } from '../../../src/server/organizations/users.ts';
import { endSessionsOfUser } from '../../../src/server/sessions/sessions.ts';
import { describeSignInsOnBothEngines } from '../../support/sso/world.ts';
import { password, type StartedSignIn, type SsoOrganization } from '../../support/sso/organization.ts';
import { linkTokenOf, toPerson } from '../../support/sso/responses.ts';
import { holdLocks, untilWaiting } from '../../support/storage/held-locks.ts';
import { setPassword } from '../../support/organizations/passwords.ts';
import { addPasskey, challengeCookieOf } from '../../support/credentials/authenticator.ts';
import { setUpApp } from '../../support/organizations/second-factors.ts';
import { problemOf, type TestResponse, type Person } from '../../support/server/test-server.ts';

const expired = { status: 400, code: 'sign_in_expired' };
const wrong = { status: 401, code: 'invalid_credentials' };

/** nOAuth: an address finds an account, but only the account's password links it. */
describeSignInsOnBothEngines('linking an account to the directory', (world, engine) => {
  const confirm = (started: StartedSignIn, token: string, typed = password): Promise<TestResponse> =>
    world.server.call('POST /api/sso/sign-in/link', {
      body: { token, password: typed },
      headers: { cookie: started.cookie },
    });
  const read = (started: StartedSignIn, token: string): Promise<TestResponse> =>
    world.server.call('POST /api/sso/sign-in/link/read', {
      body: { token },
      headers: { cookie: started.cookie },
    });
  const sessionCookieOf = ({ headers }: TestResponse) =>
    /auth\.session_token=/.test(String(headers['set-cookie']));

  /** A member with an account, who has signed in at the directory for the first time. */
  async function waiting(
    role: 'owner' | 'editor' = 'editor',
    query = '',
  ): Promise<{
    organization: SsoOrganization;
    account: Person;
    subject: string;
    started: StartedSignIn;
    token: string;
  }> {
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada', role);
    const subject = organization.addPerson('Ada');
    const started = await organization.start(query);
    const back = await organization.complete(started, subject);
    assert.ok(!sessionCookieOf(back), 'the address alone opens nothing');
    return { organization, account, subject, started, token: linkTokenOf(back) };
  }

  test('asks for the second factor of the account, too', async () => {
    const { account, started, token } = await waiting();
    const { recoveryCodes } = await setUpApp(world.server, account);
    const link = (code?: string) =>
      world.server.call('POST /api/sso/sign-in/link', {
        body: {
          token,
          password,
          ...(code !== undefined && { secondFactor: { method: 'recovery_code', code } }),
        },
        headers: { cookie: started.cookie },
      });
    const required = { status: 403, code: 'second_factor_required' };
    assert.deepEqual(problemOf(await link()), required);
    assert.deepEqual(problemOf(await link('00000-00000-00000-00000')), wrong);
    assert.deepEqual(problemOf(await confirm(started, token, 'wrong')), wrong, 'only after the password');
    const linked = await link(recoveryCodes[0]);
    assert.equal(linked.status, 200);
    assert.ok(sessionCookieOf(linked));
  });

  test('accepts a passkey of the account for a challenge of this step, after the password', async () => {
    const { server } = world;
    const { account, started, token } = await waiting();
    const { passkey } = await addPasskey(server, account);
    const headers = { cookie: started.cookie };
    const options = await server.call('POST /api/sso/sign-in/link/options', { body: { token }, headers });
    assert.deepEqual(options.body.allowCredentials, [], 'nobody without the password sees the passkeys');
    const link = (from: TestResponse, typed: string) =>
      server.call('POST /api/sso/sign-in/link', {
        body: {
          token,
          password: typed,
          secondFactor: { method: 'passkey', assertion: passkey.sign(from.body) },
        },
        headers: { cookie: `${started.cookie}; ${challengeCookieOf(from)}` },
      });
    const confirming = await server.call('POST /api/auth/confirm/options', { as: account });
    assert.deepEqual(problemOf(await link(confirming, password)), wrong, 'the challenge of another purpose');
    assert.deepEqual(problemOf(await link(options, 'wrong')), wrong);
    const linked = await link(options, password);
    assert.equal(linked.status, 200, linked.text);
    assert.ok(sessionCookieOf(linked));
    const elsewhere = await server.call('POST /api/sso/sign-in/link/options', { body: { token } });
    assert.deepEqual(problemOf(elsewhere), expired);
  });

  for (const role of ['owner', 'editor'] as const) {
    test(`asks the ${role} with that address for their password once`, async () => {
      const { organization, account, subject, started, token } = await waiting(role, '?returnTo=/reports');
      const shown = await read(started, token);
      assert.deepEqual(
        [shown.status, shown.body],
        [200, { email: account.email, name: 'Ada', organizationName: 'Organization' }],
      );
      const linked = await confirm(started, token);
      assert.deepEqual([linked.status, linked.body], [200, { returnTo: '/reports' }]);
      const ada = await toPerson(world.server, linked);
      assert.equal(ada.id, account.id);
      assert.equal(await organization.roleOf(ada), role);
      const { body } = await world.server.call('GET /api/auth/get-session', { as: ada });
      assert.deepEqual([body.session.method, body.session.organizationId], ['sso', organization.id]);
      assert.equal((await organization.enter(subject)).id, account.id);
      const [written, ...more] = await organization.audit('sso.account.linked');
      assert.deepEqual(more, []);
      assert.equal(written?.actorId, account.id);
      assert.deepEqual(written.details, {
        email: account.email,
        issuer: organization.directory.issuer,
        subject,
        address: '127.0.0.1',
      });
    });
  }

  test('accepts the password once, even in concurrent requests', async () => {
    const { started, token, organization } = await waiting();
    const responses = await Promise.all([confirm(started, token), confirm(started, token)]);
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(problemOf(await confirm(started, token)), expired);
    assert.deepEqual(problemOf(await read(started, token)), expired);
    assert.equal((await organization.members()).length, 2);
  });

  test('works only in the browser that signed in', async () => {
    const { started, token, organization } = await waiting();
    const other = await organization.start();
    for (const browser of [other, { ...started, cookie: '' }]) {
      assert.deepEqual(problemOf(await read(browser, token)), expired);
      assert.deepEqual(problemOf(await confirm(browser, token)), expired);
    }
    for (const unknown of ['', 'x', 'x'.repeat(43), new URL(started.url).searchParams.get('state') ?? '']) {
      assert.deepEqual(problemOf(await confirm(started, unknown)), expired, unknown);
    }
    assert.equal((await confirm(started, token)).status, 200, 'and nobody else has spoiled it');
  });

  test('expires after ten minutes', async () => {
    const { started, token } = await waiting();
    world.server.advance(minutesMs(10));
    assert.deepEqual(problemOf(await read(started, token)), expired);
    assert.deepEqual(problemOf(await confirm(started, token)), expired);
  });

  test('counts wrong passwords as failed sign-ins, and logs them', async () => {
    const { started, token, account, organization } = await waiting();
    for (let guess = 0; guess < 10; guess += 1) {
      assert.deepEqual(problemOf(await confirm(started, token, 'a guess')), wrong);
    }
    const limited = { status: 429, code: 'too_many_attempts' };
    assert.deepEqual(problemOf(await confirm(started, token)), limited);
    const signIn = await world.signInByPassword(account);
    assert.deepEqual(problemOf(signIn), limited);
    const [refused] = await organization.refusals();
    assert.deepEqual([refused?.['code'], refused?.['email']], ['wrong_password', account.email]);
    assert.deepEqual(await organization.audit('sso.account.linked'), []);
    world.server.advance(minutesMs(16));
  });

  for (const [what, end] of [
    ['the configuration is saved', ({ organization }) => organization.save()],
    ['the configuration is turned off', ({ organization }) => organization.save({ enabled: false })],
    ['the configuration is deleted', ({ organization }) => organization.call('DELETE /config')],
    [
      'the domain is no longer proven',
      ({ organization }) => organization.save({ emailDomains: ['other.example'] }),
    ],
    [
      'the member is removed',
      ({ organization, account }) =>
        world.server.call(`DELETE /api/organizations/${organization.id}/members/${account.id}`, {
          as: organization.owner,
        }),
    ],
    [
      'the password is changed',
      ({ account }) => setPassword(world.server, account, 'another password entirely'),
    ],
    [
      'somebody else of the directory has linked the account',
      async ({ organization, account }) => {
        organization.directory.addPerson({
          subject: 'another',
          claims: { preferred_username: account.email, name: 'Another' },
        });
        await organization.enterAndLink('another');
      },
    ],
    [
      'the browser signs out',
      ({ account, started }) =>
        world.server.call('POST /api/auth/sign-out', {
          headers: { cookie: `auth.session_token=${account.token}; ${started.cookie}` },
        }),
    ],
  ] as [string, (link: Awaited<ReturnType<typeof waiting>>) => unknown][]) {
    test(`links nothing after ${what}`, async () => {
      const link = await waiting();
      await end(link);
      const { organization, started, token } = link;
      const before = await organization.audit('sso.account.linked');
      const response = await confirm(started, token);
      assert.ok([400, 401, 403].includes(response.status), response.text);
      assert.ok(!sessionCookieOf(response));
      assert.deepEqual(await organization.audit('sso.account.linked'), before);
    });
  }

  // SQLite has one writer at a time.
  if (engine === 'PostgreSQL') {
    test('links nothing while the password is being changed', async () => {
      const { organization, account, started, token } = await waiting();
      const { database } = world.server;
      const commit = await holdLocks(database, async (transaction) => {
        await lockAccount(transaction, account.id);
        await storePassword(transaction, Date.now, { id: account.id, passwordHash: 'another' });
        await endSessionsOfUser(transaction, Date.now, account.id);
      });
      const confirming = confirm(started, token);
      await Promise.race([untilWaiting(database, 1), confirming]);
      await commit();
      const response = await confirming;
      assert.deepEqual(problemOf(response), expired);
      assert.ok(!sessionCookieOf(response));
      assert.deepEqual(await organization.audit('sso.account.linked'), []);
    });
  }

  test('is refused for an account without a password until the account is removed', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const email = `ada@${organization.domain}`;
    const account = await server.database.write((transaction) =>
      createUser(transaction, Date.now, { email, name: 'Ada', passwordHash: null }),
    );
    await server.addMember(organization.id, { ...account, token: '' }, 'editor');
    const subject = organization.addPerson('Ada');
    const { status, code, detail } = await organization.refusal(subject);
    assert.deepEqual([status, code], [403, 'sign_in_refused']);
    assert.match(detail, /has no password.*Set a password.*remove it/);
    assert.equal((await organization.refusals())[0]?.['code'], 'link_refused');
    const line = `DELETE /api/organizations/${organization.id}/members/${account.id}`;
    assert.equal((await server.call(line, { as: organization.owner })).status, 204);
    const fresh = await organization.enter(subject);
    assert.notEqual(fresh.id, account.id);
    assert.equal(await organization.roleOf(fresh), 'viewer');
  });

  test('is not offered to an address that is not verified', async () => {
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada', 'owner');
    const mallory = { preferred_username: 'mallory', email: account.email };
    const entered = await organization.enter(organization.addPerson('Mallory', mallory));
    assert.notEqual(entered.id, account.id);
    assert.equal(await organization.roleOf(entered), 'viewer');
    const denied = { ...mallory, email_verified: false, xms_edov: true };
    const refusal = await organization.refusal(organization.addPerson('Eve', denied));
    assert.match(refusal.detail, /email address is not verified/);
    assert.equal((await organization.enterAndLink(organization.addPerson('Ada'))).id, account.id);
  });

  for (const email_verified of [false, 'false', 0]) {
    test(`is not offered if AD FS sends email_verified ${JSON.stringify(email_verified)}`, async () => {
      const organization = await world.createOrganization({ directory: world.adfs });
      const account = await organization.addAccount('Ada', 'owner');
      const names = { upn: account.email, preferred_username: account.email };
      const subject = organization.addPerson('Mallory', { ...names, email: account.email, email_verified });
      const { status, detail } = await organization.refusal(subject);
      assert.equal(status, 403);
      assert.match(detail, /email address is not verified/);
      assert.equal((await organization.members()).length, 2);
    });
  }

  test('is announced by a test sign-in, with the role of the account', async () => {
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada', 'editor');
    const subject = organization.addPerson('Ada');
    const tested = await organization.test(subject);
    assert.deepEqual(tested.checks.at(-1), {
      code: 'link',
      passed: true,
      message: `The account ${account.email} already exists. The first sign-in requires its password once to link it.`,
    });
    assert.deepEqual(
      [tested.role, tested.account],
      ['editor', { id: account.id, email: account.email, name: 'Ada' }],
    );
    assert.equal((await organization.status()).sessionCount, 0);
    assert.equal((await organization.enterAndLink(subject)).id, account.id);
    assert.equal((await organization.status()).sessionCount, 1);
    assert.equal(await organization.roleOf(account), 'editor');
  });
});

describeSignInsOnBothEngines('Entra without a tenant', (world) => {
  test('is stored, and blocked with tenant_required', async () => {
    const { entra } = world;
    for (const configuration of [
      { tenantId: undefined, discoveryUrl: entra.discoveryUrl },
      { tenantId: undefined },
      { tenantId: 'organizations' },
      { tenantId: '9188040d-6c67-4c5b-b112-36a304b66dad' },
    ]) {
      const organization = await world.createOrganization({ configuration });
      const { state, reasons } = await organization.status();
      assert.deepEqual(
        [state, reasons[0]?.code],
        ['blocked', 'tenant_required'],
        JSON.stringify(configuration),
      );
      const start = await world.server.call(`GET /api/sso/start/${organization.id}`);
      assert.deepEqual(problemOf(start), { status: 403, code: 'sign_in_refused' });
      const test = await organization.call('POST /config/test');
      assert.deepEqual(problemOf(test), { status: 409, code: 'sso_not_ready' });
      assert.equal(await world.methodOf(`ada@${organization.domain}`), 'password');
    }
  });

  test('is recognized by the tid of its tokens, whatever its URL is', async () => {
    const organization = await world.createOrganization({ directory: world.adfs });
    const account = await organization.addAccount('Olga', 'owner');
    const claims = { tid: crypto.randomUUID(), oid: 'a foreign oid', email: account.email };
    const { status, detail } = await organization.refusal(organization.addPerson('Olga', claims));
    assert.equal(status, 403);
    assert.match(detail, /from Entra ID.*names no tenant.*tenant\) ID/);
    const { state, reasons } = await organization.status();
    assert.deepEqual([state, reasons[0]?.code], ['failing', 'tenant_required']);
  });
});
