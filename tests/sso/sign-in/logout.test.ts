import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import type { Person } from '../../support/server/test-server.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { describeSignIns } from '../../support/sso/world.ts';

const ofUser = prepare((sql, p: { userId: string }) =>
  sql
    .selectFrom('sso_sessions')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(['provider_session_id as providerSessionId', 'token_hash as tokenHash'])
    .where('user_id', '=', p.userId)
    .orderBy('sessions.id'),
);
const forget = prepare((sql, p: { configurationId: string }) =>
  sql
    .updateTable('sso_sessions')
    .set({ provider_session_id: null })
    .where('configuration_id', '=', p.configurationId),
);

describeSignIns('a sign-out at the directory', (world) => {
  const isSignedIn = async (as: Person) => {
    const { status } = await world.server.call('GET /api/auth/get-session', { as });
    assert.ok([200, 401].includes(status));
    return status === 200;
  };
  const all = (people: readonly Person[]) => Promise.all(people.map(isSignedIn));
  const providerSessionsOf = async ({ id }: Person) =>
    (await world.server.database.all(ofUser, { userId: id })).map(
      ({ providerSessionId }) => providerSessionId ?? '',
    );
  const post = ({ configurationId }: Pick<SsoOrganization, 'configurationId'>, body: string) =>
    world.server.call(`POST /api/sso/logout/${configurationId}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const get = ({ configurationId }: Pick<SsoOrganization, 'configurationId'>, query: string) =>
    world.server.call(`GET /api/sso/logout/${configurationId}${query}`, {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
    });
  /** Signs Bob in twice, and his colleague Eve. */
  async function openSessions() {
    const organization = await world.createOrganization();
    const [bob, eve] = [organization.addPerson('Bob'), organization.addPerson('Eve')];
    const people = [
      await organization.enter(bob),
      await organization.enter(bob),
      await organization.enter(eve),
    ];
    const [first = '', second = ''] = await providerSessionsOf(people[0] as Person);
    assert.notEqual(first, second);
    assert.deepEqual(await all(people), [true, true, true]);
    return { organization, bob, people, first, second };
  }

  test('ends the session here that was obtained with it, by a logout token', async () => {
    const { organization, bob, people, first } = await openSessions();
    const body = await world.entra.signOut(bob, first);
    const response = await post(organization, body);
    assert.deepEqual([response.status, response.text], [200, '']);
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.deepEqual(await all(people), [false, true, true]);
    const email = `bob@${organization.domain}`;
    const [entry, ...others] = await organization.audit('sso.sessions.ended');
    assert.deepEqual(others, []);
    assert.equal(entry?.actorId, undefined);
    assert.deepEqual(
      { ...entry?.details, afterSeconds: 0 },
      { userId: people[0]?.id, email, sessionCount: 1, afterSeconds: 0 },
    );
    const { lastLogout, logoutUrl } = await organization.status();
    assert.match(
      lastLogout?.message ?? '',
      /^Ended 1 session of bob@.* \d+ s after the provider sent the request\.$/,
    );
    assert.ok((lastLogout?.seconds ?? Infinity) <= 60, 'measured from the token');
    assert.equal(logoutUrl, `http://localhost:3000/api/sso/logout/${organization.configurationId}`);
    // Sent again, it ends nothing more.
    assert.equal((await post(organization, body)).status, 200);
    assert.deepEqual(await all(people), [false, true, true]);
    assert.equal((await organization.audit('sso.sessions.ended')).length, 1);
  });

  test('ends nothing in another organization with the same provider and client', async () => {
    const { organization, bob, people, first } = await openSessions();
    const other = await world.createOrganization();
    const body = await world.entra.signOut(bob, first);
    assert.equal((await post(other, body)).status, 200);
    assert.equal((await get(other, `?iss=${world.entra.issuer}&sid=${first}`)).status, 200);
    assert.deepEqual(await all(people), [true, true, true]);
    assert.equal((await post(organization, body)).status, 200);
    assert.deepEqual(await all(people), [false, true, true]);
  });

  test('ends the session by a front channel, whose response says nothing', async () => {
    const { organization, people, first, second } = await openSessions();
    const { issuer } = world.entra;
    const requests = [
      `?iss=https://other.example&sid=${first}`,
      `?iss=${issuer}&sid=unknown`,
      `?iss=${issuer}&sid=`,
      `?iss=${issuer}`,
      `?sid=${first}&sid=${second}`,
      `?iss=${issuer}&sid=${'x'.repeat(5_000)}`,
    ];
    const withoutDate = ({ headers: { date: _date, 'x-request-id': _id, ...headers }, text }: Got) => [
      headers,
      text,
    ];
    type Got = Awaited<ReturnType<typeof get>>;
    const before = await Promise.all(requests.map((query) => get(organization, query)));
    assert.deepEqual(await all(people), [true, true, true]);
    const ended = await get(organization, `?iss=${issuer}&sid=${first}`);
    assert.deepEqual(await all(people), [false, true, true]);
    for (const response of before) assert.deepEqual(withoutDate(response), withoutDate(ended));
    assert.equal(ended.headers['cache-control'], 'no-store');
    // Entra may send only the ID of the session.
    await get(organization, `?sid=${second}`);
    assert.deepEqual(await all(people), [false, false, true]);
    assert.match(
      (await organization.status()).lastLogout?.message ?? '',
      /^Ended 1 session of bob@[\w.]+\.$/,
    );
  });

  test('is checked with the newest keys of the provider, and refused with those of another', async () => {
    const { organization, bob, people, first } = await openSessions();
    assert.equal(
      (await post(organization, await world.adfs.signOut(bob, first).catch(() => ''))).status,
      400,
    );
    await world.entra.rotateKey();
    assert.deepEqual(await all(people), [true, true, true]);
    assert.equal((await post(organization, await world.entra.signOut(bob, first))).status, 200);
    assert.deepEqual(await all(people), [false, true, true]);
  });

  test('must be sent once, as a form, to a configuration that exists', async () => {
    const { organization, bob, people, first } = await openSessions();
    const body = await world.entra.signOut(bob, first);
    const unknown = { configurationId: crypto.randomUUID() };
    for (const [to, sent] of [
      [organization, ''],
      [organization, `${body}&${body}`],
      [organization, 'logout_token=a.b.c'],
      [unknown, body],
    ] as const) {
      const response = await post(to, sent);
      assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], sent.slice(0, 40));
    }
    const [invalid, elsewhere] = [await post(organization, 'logout_token=a.b.c'), await post(unknown, body)];
    assert.equal(elsewhere.text, invalid.text);
    const json = await world.server.call(`POST /api/sso/logout/${organization.configurationId}`, {
      body: { logout_token: new URLSearchParams(body).get('logout_token') },
    });
    assert.equal(json.status, 415);
    assert.equal((await post(organization, `logout_token=${'x'.repeat(17_000)}`)).status, 413);
    assert.deepEqual(await all(people), [true, true, true]);
  });

  test('ends all sessions of the person where ID tokens name none', async () => {
    const { organization, bob, people, first } = await openSessions();
    const body = await world.entra.signOut(bob, first);
    await world.server.database.write((transaction) => transaction.run(forget, organization));
    assert.equal((await get(organization, `?sid=${first}`)).status, 200);
    assert.deepEqual(await all(people), [true, true, true]);
    assert.equal((await post(organization, body)).status, 200);
    assert.deepEqual(await all(people), [false, false, true]);
    assert.match((await organization.status()).lastLogout?.message ?? '', /^Ended 2 sessions of bob@/);
  });
});
