import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { Person } from '../../support/server/test-server.ts';

const ofUser = prepare((sql, p: { userId: string }) =>
  sql
    .selectFrom('sso_id_tokens')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select('id_token as idToken')
    .where('user_id', '=', p.userId),
);
const loseKeys = prepare((sql) => sql.updateTable('sso_id_tokens').set({ id_token: 'v1.unknown.x.y' }));
const count = prepare((sql) => sql.selectFrom('sso_id_tokens').select(sql.fn.countAll().as('count')));

describeSignIns('signing out of the directory', (world) => {
  const tokensOf = async ({ id }: Person) =>
    (await world.server.database.all(ofUser, { userId: id })).map(({ idToken }) => idToken);
  const countTokens = async () => Number((await world.server.database.first(count, {}))?.count);
  const signOut = async (as: Person) =>
    new URL((await world.server.call('POST /api/auth/sign-out', { as })).body.logoutUrl);

  test('sends back the ID token of the session, which is stored encrypted and deleted with it', async () => {
    const { entra } = world;
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const before = await countTokens();
    const [bob, elsewhere] = [await organization.enter(subject), await organization.enter(subject)];
    const logoutUrl = await signOut(bob);
    const { id_token_hint: hint = '', ...parameters } = Object.fromEntries(logoutUrl.searchParams);
    assert.deepEqual(parameters, {
      client_id: 'atrium',
      post_logout_redirect_uri: 'http://localhost:3000/',
    });
    const { iss, aud, oid } = decodeJwt(hint);
    assert.deepEqual([iss, aud, oid], [entra.issuer, 'atrium', subject]);
    assert.equal((await fetch(logoutUrl)).status, 200);
    const [sealed, ...others] = await tokensOf(elsewhere);
    assert.deepEqual(others, []);
    assert.match(sealed ?? '', /^v1\./);
    await organization.save({ enabled: false });
    assert.equal(await countTokens(), before);
  });

  test('sends it back after an account was linked, too', async () => {
    const organization = await world.createOrganization();
    await organization.addAccount('Ada', 'editor');
    const subject = organization.addPerson('Ada');
    const logoutUrl = await signOut(await organization.enterAndLink(subject));
    assert.equal(decodeJwt(logoutUrl.searchParams.get('id_token_hint') ?? '')['oid'], subject);
  });

  test('does without an ID token whose key was removed', async () => {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    await world.server.database.write((transaction) => transaction.run(loseKeys, {}));
    const logoutUrl = await signOut(bob);
    assert.equal(logoutUrl.searchParams.get('id_token_hint'), null);
  });

  test('does without an ID token that is too long for a URL', async () => {
    const organization = await world.createOrganization();
    const groups = Array.from({ length: 150 }, (_, index) => `00000000-0000-4000-8000-${index}`);
    const bob = await organization.enter(organization.addPerson('Bob', { groups }));
    assert.deepEqual(await tokensOf(bob), []);
    const logoutUrl = await signOut(bob);
    assert.equal(logoutUrl.searchParams.get('id_token_hint'), null);
    assert.equal((await fetch(logoutUrl)).status, 200);
  });
});
