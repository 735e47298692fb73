import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comeBack, describeTenancies, visit, type HostileWorld } from '../../support/sso/hostile-world.ts';
import { cookieOf } from '../../support/sso/responses.ts';

const other = 'x'.repeat(43);

const tests = (world: HostileWorld): void => {
  test('ends on a path of this server', async () => {
    const tenancy = await world.createTenancy();
    const evil = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/%2f/evil.example',
      '/%5cevil.example',
      '/\t/evil.example',
      '/\r\nLocation: https://evil.example',
      '%2f%2fevil.example',
      '/x/..//evil.example',
      '/.//evil.example',
      ' //evil.example',
      '/%09/evil.example',
      'evil.example',
      '@evil.example',
      '',
      '/%',
      '/%ff',
    ];
    for (const returnTo of evil) {
      const { response } = await tenancy.signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      assert.equal(response.status, 302, response.text);
      const location = String(response.headers.location);
      const url = new URL(location, 'http://localhost:3000');
      assert.equal(url.origin, 'http://localhost:3000', returnTo);
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, returnTo);
      const asked = await tenancy.server.call('POST /api/sso/sign-in', {
        body: { email: `bob@${tenancy.domain}`, returnTo },
      });
      assert.equal(new URL(asked.body.url).origin, 'http://localhost:3000');
    }
    for (const returnTo of ['/', '/dashboards/1?x=y#z', '/日本']) {
      const { response } = await tenancy.signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      assert.equal(response.headers.location, encodeURI(returnTo));
    }
    const twice = await tenancy.start('?returnTo=/a&returnTo=//evil.example');
    assert.equal(twice.status, 400);
  });

  test('starts a new session, whatever cookie was there before', async () => {
    const tenancy = await world.createTenancy();
    const { server } = tenancy;
    const { path, cookie } = await comeBack(tenancy);
    const planted = `auth.session_token=${other}`;
    const response = await server.call(`GET ${path}`, { headers: { cookie: `${cookie}; ${planted}` } });
    assert.equal(response.status, 302);
    assert.notEqual(cookieOf(response), planted);
    assert.match(cookieOf(response), /^auth\.session_token=[\w-]{43}$/);
    assert.notEqual(cookieOf(response).split('=')[1], cookie.split('=')[1]);
    assert.equal((await visit(tenancy, '/api/auth/get-session', planted)).status, 401);
    const again = await tenancy.signIn();
    assert.notEqual(cookieOf(again.response), cookieOf(response));
  });

  test('uses only the public URL, whatever the host of a request is', async () => {
    const tenancy = await world.createTenancy();
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '444',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/evil',
      referer: 'https://evil.example/',
    };
    const started = await tenancy.start('', forged);
    const location = new URL(String(started.headers.location));
    assert.equal(
      location.searchParams.get('redirect_uri'),
      `http://localhost:3000/api/sso/callback/${tenancy.configurationId}`,
    );
    assert.doesNotMatch(JSON.stringify(started.headers), /evil|Secure/);
    const back = await tenancy.provider.authorize(location.href);
    const done = await tenancy.server.call(`GET ${back.pathname}${back.search}`, {
      headers: { ...forged, cookie: cookieOf(started) },
    });
    assert.equal(done.status, 302, done.text);
    assert.doesNotMatch(JSON.stringify(done.headers), /evil/);
    const asked = await tenancy.server.call('POST /api/sso/sign-in', {
      body: { email: `bob@${tenancy.domain}` },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    assert.match(asked.body.url, /^http:\/\/localhost:3000\//);
    const status = await tenancy.server.call(`GET /api/sso/orgs/${tenancy.organizationId}/status`, {
      as: tenancy.owner,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    assert.doesNotMatch(status.text, /evil/);
  });
};

describeTenancies('a sign-in', tests, ['SQLite']);
