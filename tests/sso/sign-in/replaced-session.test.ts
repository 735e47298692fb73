import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { pathOf } from '../../support/sso/responses.ts';
import { problemOf, type TestResponse, type Person } from '../../support/server/test-server.ts';

/** The headers of a browser that navigates to a URL. */
const navigation = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Login CSRF (RFC 6749, section 10.12): a link must not replace your session with its author's. */
describeSignIns('a link to the sign-in of an organization', (world) => {
  const follow = (
    { id }: SsoOrganization,
    headers: Readonly<Record<string, string>>,
    as?: Person,
    query = '?returnTo=/dashboards&loginHint=eve@contoso.test',
  ): Promise<TestResponse> =>
    world.server.call(`GET /api/sso/start/${id}${query}`, {
      headers: { ...navigation, ...headers },
      ...(as && { as }),
    });

  const targetOf = ({ status, headers }: TestResponse) => [status, String(headers['location']).split('?')[0]];
  const asks = [302, '/sign-in'];

  test('asks before it replaces a session, wherever the link is', async () => {
    const organization = await world.createOrganization();
    const bob = await world.server.createPerson('Bob');
    for (const site of ['cross-site', 'same-site', 'none', undefined]) {
      const response = await follow(organization, site === undefined ? {} : { 'sec-fetch-site': site }, bob);
      assert.deepEqual(targetOf(response), asks, site ?? 'by plain http');
      assert.equal(response.headers['set-cookie'], undefined, 'no sign-in has started');
      const search = new URLSearchParams(String(response.headers['location']).split('?')[1]);
      assert.deepEqual(Object.fromEntries(search), { tile: organization.id, returnTo: '/dashboards' });
    }
  });

  test('leads to the directory from a page of this server, or if nobody is signed in', async () => {
    const organization = await world.createOrganization();
    const bob = await world.server.createPerson('Bob');
    const gone = { ...bob, token: 'x'.repeat(43) };
    for (const response of [
      await follow(organization, { 'sec-fetch-site': 'same-origin' }, bob),
      await follow(organization, { 'sec-fetch-site': 'cross-site' }),
      await follow(organization, { 'sec-fetch-site': 'cross-site' }, gone),
    ]) {
      assert.equal(response.status, 302);
      assert.match(String(response.headers['location']), /^http:\/\/127\.0\.0\.1:/);
      assert.match(String(response.headers['set-cookie']), /^atrium\.sign_in=/);
    }
  });

  test('opens the page if you signed in through the same directory', async () => {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    const response = await follow(organization, { 'sec-fetch-site': 'cross-site' }, bob);
    assert.deepEqual([response.status, response.headers['location']], [302, '/dashboards']);
    const elsewhere = await follow(
      organization,
      { 'sec-fetch-site': 'cross-site' },
      bob,
      '?returnTo=//evil.example',
    );
    assert.equal(elsewhere.headers['location'], '/');
    const another = await world.createOrganization();
    assert.deepEqual(targetOf(await follow(another, { 'sec-fetch-site': 'cross-site' }, bob)), asks);
  });

  test('that requires a new sign-in leads to the directory, which asks for it', async () => {
    const organization = await world.createOrganization();
    const bob = await organization.enter(organization.addPerson('Bob'));
    const response = await follow(organization, { 'sec-fetch-site': 'none' }, bob, '?prompt=login');
    const { searchParams } = new URL(String(response.headers['location']));
    assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0']);
    const another = await world.createOrganization();
    assert.deepEqual(
      targetOf(await follow(another, { 'sec-fetch-site': 'none' }, bob, '?prompt=login')),
      asks,
    );
  });

  const picture = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const notPages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a picture': { ...picture, 'sec-fetch-site': 'same-site', accept: 'image/avif,image/*,*/*;q=0.8' },
    'a picture that says it takes pages': { ...picture, 'sec-fetch-site': 'same-site' },
    'a picture on a page of ours': { ...picture, 'sec-fetch-site': 'same-origin' },
    'a frame': { 'sec-fetch-dest': 'iframe' },
    'a script': { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', accept: '*/*' },
    'a request of a script': { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    'a form that navigates to nowhere': { 'sec-fetch-dest': 'empty' },
    'a page that is fetched ahead': { 'sec-purpose': 'prefetch;prerender' },
  };
  /** The headers of browsers that send no `Sec-Fetch` headers: old ones, and all of them over plain http. */
  const plain: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a picture in an old browser': { accept: 'image/webp,image/*;q=0.8,*/*;q=0.5' },
    'a script in an old browser': { accept: '*/*' },
  };

  test('does not start or complete a sign-in unless it is opened as a page', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const cases = [
      ...Object.entries(notPages).map(([name, headers]) => [name, { ...navigation, ...headers }] as const),
      ...Object.entries(plain),
    ];
    const refused = { status: 403, code: 'not_a_navigation' };
    const started = await organization.start();
    const back = pathOf(await organization.directory.signIn(started.url, subject));
    for (const [name, headers] of cases) {
      // Errors of a page are pages if the application is built.
      const asked = { ...headers, accept: headers.accept.replace('text/html', 'text/plain') };
      const start = await server.call(`GET /api/sso/start/${organization.id}`, { headers: asked });
      assert.deepEqual(problemOf(start), refused, name);
      assert.equal(start.headers['set-cookie'], undefined, name);
      const done = await server.call(`GET ${back}`, { headers: { ...asked, cookie: started.cookie } });
      assert.deepEqual(problemOf(done), refused, name);
    }
    const done = await server.call(`GET ${back}`, { headers: { ...navigation, cookie: started.cookie } });
    assert.deepEqual([done.status, done.headers['location']], [302, '/']);
    const old = await server.call(`GET /api/sso/start/${organization.id}`, {
      headers: { accept: navigation.accept },
    });
    assert.equal(old.status, 302, 'an old browser shows a page');
  });

  test('does not reveal which organizations exist', async () => {
    const bob = await world.server.createPerson('Bob');
    const unknown = { id: crypto.randomUUID() } as SsoOrganization;
    assert.deepEqual(targetOf(await follow(unknown, { 'sec-fetch-site': 'cross-site' }, bob)), asks);
  });
});
