import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns, type SsoOrganization } from '../support/sso-organization.ts';
import type { Answer, Person } from '../support/test-server.ts';

/** As a browser asks that goes to an address. */
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

/** Login CSRF (RFC 6749, section 10.12): a link must not put the session of its author in the place of one's own. */
describeSignIns('a link to the sign-in of an organization', (world) => {
  const follow = (
    { id }: SsoOrganization,
    headers: Readonly<Record<string, string>>,
    as?: Person,
    query = '?returnTo=/dashboards&loginHint=eve@contoso.test',
  ): Promise<Answer> =>
    world.server.call(`GET /api/sso/start/${id}${query}`, {
      headers: { ...navigation, ...headers },
      ...(as && { as }),
    });

  const placeOf = ({ status, headers }: Answer) => [status, String(headers['location']).split('?')[0]];
  const asks = [302, '/sign-in'];

  test('asks before it replaces a session, wherever the link is', async () => {
    const organization = await world.createOrganization();
    const bob = await world.server.createPerson('Bob');
    for (const site of ['cross-site', 'same-site', 'none', undefined]) {
      const answer = await follow(organization, site === undefined ? {} : { 'sec-fetch-site': site }, bob);
      assert.deepEqual(placeOf(answer), asks, site ?? 'by plain http');
      assert.equal(answer.headers['set-cookie'], undefined, 'nothing is begun');
      const search = new URLSearchParams(String(answer.headers['location']).split('?')[1]);
      assert.deepEqual(Object.fromEntries(search), { tile: organization.id, returnTo: '/dashboards' });
    }
  });

  test('leads to the directory from a page of ours, and where nobody is signed in', async () => {
    const organization = await world.createOrganization();
    const bob = await world.server.createPerson('Bob');
    const gone = { ...bob, token: 'x'.repeat(43) };
    for (const answer of [
      await follow(organization, { 'sec-fetch-site': 'same-origin' }, bob),
      await follow(organization, { 'sec-fetch-site': 'cross-site' }),
      await follow(organization, { 'sec-fetch-site': 'cross-site' }, gone),
    ]) {
      assert.equal(answer.status, 302);
      assert.match(String(answer.headers['location']), /^http:\/\/127\.0\.0\.1:/);
      assert.match(String(answer.headers['set-cookie']), /^atrium\.sign_in=/);
    }
  });

  test('opens what there is where one has signed in through the same directory', async () => {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    const answer = await follow(organization, { 'sec-fetch-site': 'cross-site' }, bob);
    assert.deepEqual([answer.status, answer.headers['location']], [302, '/dashboards']);
    const elsewhere = await follow(
      organization,
      { 'sec-fetch-site': 'cross-site' },
      bob,
      '?returnTo=//evil.example',
    );
    assert.equal(elsewhere.headers['location'], '/');
    const another = await world.createOrganization();
    assert.deepEqual(placeOf(await follow(another, { 'sec-fetch-site': 'cross-site' }, bob)), asks);
  });

  test('tells nothing of which organizations there are', async () => {
    const bob = await world.server.createPerson('Bob');
    const unknown = { id: crypto.randomUUID() } as SsoOrganization;
    assert.deepEqual(placeOf(await follow(unknown, { 'sec-fetch-site': 'cross-site' }, bob)), asks);
  });
});
