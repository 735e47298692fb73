import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { problemOf, startTestServer } from '../../../tests/support/server/test-server.ts';

const publicUrl = 'https://atrium.example';

describe('the server', () => {
  test('gives each request an id that cannot be guessed from others', async (context) => {
    const servers = [await startTestServer(context, 'SQLite'), await startTestServer(context, 'SQLite')];
    const ids = [];
    for (const server of [...servers, ...servers]) {
      const { body } = await server.call('GET /api/nothing');
      assert.match(body.requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      ids.push(body.requestId);
    }
    // No part is shared, such as a prefix of the server or a counter.
    for (const [begin, end] of [
      [0, 8],
      [24, 36],
    ] as const)
      assert.equal(new Set(ids.map((id) => id.slice(begin, end))).size, ids.length);
  });

  test('accepts bodies only as application/json', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const statuses: Record<string, number> = {};
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'text/plain',
      'application/json\ta',
      'application/jsonx',
      'application/json-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
      ' ',
    ]) {
      const { status } = await server.call('POST /api/dashboards', {
        as,
        body: { name: 'D' },
        headers: { 'content-type': type },
      });
      statuses[type] = status;
    }
    assert.deepEqual(statuses, {
      'application/json': 201,
      'application/json; charset=utf-8': 201,
      'APPLICATION/JSON': 201,
      'text/plain': 415,
      'application/json\ta': 415,
      'application/jsonx': 415,
      'application/json-patch+json': 415,
      'application/x-www-form-urlencoded': 415,
      'multipart/form-data; boundary=x': 415,
      'text/plain; application/json': 415,
      ' ': 415,
    });
    const response = await server.call('POST /api/dashboards', {
      as,
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    assert.deepEqual(problemOf(response), { status: 415, code: 'unsupported_media_type' });
  });

  test('refuses compressed bodies', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    for (const [coding, status] of [
      ['gzip', 415],
      ['GZIP, br', 415],
      ['', 415],
      ['identity', 201],
    ] as const) {
      const response = await server.call('POST /api/dashboards', {
        as,
        body: { name: 'D' },
        headers: { 'content-encoding': coding },
      });
      assert.equal(response.status, status, coding);
      assert.equal(response.headers['accept-encoding'], status === 415 ? 'identity' : undefined);
    }
  });

  test('names what was created, the way to sign in, and when to try again in header fields', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    for (const headers of [{}, { 'idempotency-key': 'one' }, { 'idempotency-key': 'one' }]) {
      const created = await server.call('POST /api/dashboards', { as, body: { name: 'D' }, headers });
      const location = String(created.headers['location']);
      assert.equal(location, `/api/dashboards/${created.body.id}`);
      assert.equal((await server.call(`GET ${location}`, { as })).status, 200);
    }
    const { headers } = await server.call('GET /api/dashboards');
    assert.deepEqual(headers['www-authenticate'], [
      'Cookie realm="Atrium", cookie-name="auth.session_token"',
      'Bearer realm="Atrium"',
    ]);
    const guess = () =>
      server.call('POST /api/auth/sign-in/email', { body: { email: 'a@example.com', password: 'x' } });
    for (let count = 0; count < 10; count += 1) await guess();
    const limited = (await guess()).headers;
    assert.deepEqual(
      [limited['retry-after'], limited['ratelimit'], limited['ratelimit-policy']],
      ['900', '"default";r=0;t=900', '"default";q=10;w=900'],
    );
  });

  test('sends the id of the request with every response', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    for (const line of [
      'GET /',
      'GET /api/health/live',
      'GET /api/nothing',
      'GET /api/%zz',
      'OPTIONS /api/docs',
    ]) {
      const { headers, body } = await server.call(line);
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, line);
      if (body?.requestId !== undefined) assert.equal(headers['x-request-id'], body.requestId);
    }
  });

  test('accepts a body of 1 MiB, and not a byte more', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const bodyOf = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`;
    assert.equal((await server.call('POST /api/dashboards', { as, body: bodyOf(1_048_576) })).status, 201);
    const response = await server.call('POST /api/dashboards', { as, body: bodyOf(1_048_577) });
    assert.deepEqual(problemOf(response), { status: 413, code: 'body_too_large' });
  });

  test('accepts 64 KiB without a session, and not a byte more', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const signIn = (size: number) =>
      server.call('POST /api/auth/sign-in/email', {
        body: `{"email":"a","password":"${'x'.repeat(size - 27)}"}`,
      });
    assert.equal((await signIn(65_536)).status, 401);
    assert.deepEqual(problemOf(await signIn(65_537)), { status: 413, code: 'body_too_large' });
  });

  test('does little work for an email address of a million combining marks', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const organizationId = await server.createOrganization(as);
    const email = `a${'\u0301\u0323'.repeat(15_000)}@x`;
    const cpuMs = watchThreadCpuTime();
    const response = await server.call('POST /api/auth/sign-in/email', { body: { email, password: 'x' } });
    assert.equal(response.status, 401);
    const path = `/api/organizations/${organizationId}/invitations`;
    assert.equal((await server.call(`POST ${path}`, { as, body: { email, role: 'viewer' } })).status, 400);
    const domains = {
      provider: 'idp_ad',
      clientId: 'c',
      enabled: false,
      emailDomains: [`é${'\u0301\u0323'.repeat(100_000)}`],
    };
    assert.equal(
      (await server.call(`POST /api/sso/orgs/${organizationId}/config`, { as, body: domains })).status,
      200,
    );
    // Without the limits, each of the three would take seconds.
    assert.ok(cpuMs() < 1_500);
  });

  test('never sends a larger response than the faulty request', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const body = `{"${'~'.repeat(500_000)}":[${Array.from({ length: 200 }, () => '"\\u0000"').join(',')}]}`;
    const response = await server.call('POST /api/dashboards', { as, body });
    assert.equal(response.body.errors.length, 100);
    assert.ok(response.text.length < 100_000, `${response.text.length} characters`);
  });

  test('authenticates before it reads a body of any kind', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    for (const options of [
      { body: '{' },
      { body: { name: 1 } },
      { body: 'x'.repeat(2_000_000) },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ]) {
      assert.deepEqual(problemOf(await server.call('POST /api/dashboards', options)), {
        status: 401,
        code: 'unauthenticated',
      });
    }
  });

  test('refuses requests from pages of other sites, but not from programs', async (context) => {
    const server = await startTestServer(context, 'SQLite', { ATRIUM_PUBLIC_URL: publicUrl });
    const as = await server.createPerson();
    const tried: [Record<string, string>, number][] = [
      [{}, 201],
      [{ origin: publicUrl }, 201],
      [{ origin: publicUrl, 'sec-fetch-site': 'same-origin' }, 201],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'http://atrium.example' }, 403],
      [{ origin: 'https://atrium.example.evil.example' }, 403],
      [{ origin: 'https://sub.atrium.example', 'sec-fetch-site': 'same-site' }, 403],
      [{ origin: 'null' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'https://evil.example', host: 'evil.example' }, 403],
      [
        { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
        403,
      ],
    ];
    for (const [headers, status] of tried) {
      const response = await server.call('POST /api/dashboards', { as, body: { name: 'D' }, headers });
      assert.equal(response.status, status, JSON.stringify(headers));
      if (status === 403) assert.equal(response.body.code, 'cross_site_request');
    }
    for (const line of [
      'POST /api/auth/sign-out',
      'POST /api/auth/sign-in/email',
      'DELETE /api/sso/orgs/x/config',
    ]) {
      assert.equal(
        (await server.call(line, { as, headers: { origin: 'https://evil.example' } })).status,
        403,
        line,
      );
    }
    assert.equal(
      (await server.call('GET /api/dashboards', { as, headers: { origin: 'https://evil.example' } })).status,
      200,
    );
  });

  test('never lets a browser run, frame, sniff or cache a response', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const name = '<script>alert(1)</script>';
    const created = await server.call('POST /api/dashboards', { as, body: { name } });
    assert.equal(created.body.name, name);
    for (const response of [
      created,
      await server.call('GET /api/nothing'),
      await server.call('GET /api/dashboards'),
    ]) {
      const {
        'content-security-policy': policy,
        'x-content-type-options': sniff,
        'cache-control': cache,
        'access-control-allow-origin': cors,
      } = response.headers;
      assert.deepEqual(
        [policy, sniff, cache, cors],
        ["default-src 'none'; frame-ancestors 'none'", 'nosniff', 'no-store', undefined],
      );
    }
  });

  test('sends Permissions-Policy with pages, and Strict-Transport-Security if its public URL is https', async (context) => {
    for (const [url, expected] of [
      [publicUrl, 'max-age=31536000'],
      ['http://atrium.example', undefined],
    ] as const) {
      const server = await startTestServer(context, 'SQLite', { ATRIUM_PUBLIC_URL: url });
      for (const path of ['/api/nothing', '/api/health/live']) {
        const { headers } = await server.call(`GET ${path}`);
        assert.equal(headers['strict-transport-security'], expected, path);
        assert.equal(headers['permissions-policy'], undefined, path);
      }
      for (const path of ['/', '/api/docs']) {
        const { headers } = await server.call(`GET ${path}`);
        assert.equal(headers['strict-transport-security'], expected, path);
        assert.match(String(headers['permissions-policy']), /camera=\(\), .*geolocation=\(\)/, path);
        assert.doesNotMatch(String(headers['permissions-policy']), /fullscreen|clipboard/, path);
      }
    }
  });

  test('serves its pages and API documentation only with its own scripts', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    for (const path of ['/', '/set-up', '/invitation', '/api/docs']) {
      const { status, headers, text } = await server.call(`GET ${path}`);
      assert.equal(status, 200, path);
      assert.match(String(headers['content-type']), /^text\/html/);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /script-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(text, /<script(?![^>]*\b(src|data-url)=)|\son\w+=/, `inline script in ${path}`);
      assert.doesNotMatch(text, /https?:\/\//, `another host in ${path}`);
    }
    const viewer = await server.call('GET /api/docs/viewer.js');
    assert.equal(viewer.status, 200);
    assert.ok(viewer.text.length > 1_000_000);
    const missing = await server.call('GET /../package.json');
    assert.equal(missing.status, 404);
  });

  test('trusts X-Forwarded-For only from trusted proxies', async (context) => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'x' };
    for (const [trusted, address] of [
      ['', '127.0.0.1'],
      ['127.0.0.0/8', '203.0.113.7'],
    ] as const) {
      const server = await startTestServer(context, 'SQLite', { ATRIUM_TRUSTED_PROXIES: trusted });
      const ada = await server.createPerson('Ada');
      const organizationId = await server.createOrganization(ada);
      const invited = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
        as: ada,
        body: { email: 'bob@example.com', role: 'viewer' },
      });
      const token = invited.body.link.split('#')[1];
      const { body } = await server.call('POST /api/invitations/sign-up', {
        body: { token, name: 'Bob', password: 'correct horse battery' },
        headers: forwarded,
      });
      assert.equal(body.session.address, address);
    }
  });

  test('logs an unexpected error with its request id, and reveals nothing to the client', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    server.expectErrors();
    const as = await server.createPerson();
    await server.database.write((transaction) =>
      transaction.execute('alter table dashboards rename column updated_at to changed_at'),
    );
    const response = await server.call('POST /api/dashboards', { as, body: { name: 'canary' } });
    assert.deepEqual(problemOf(response), { status: 500, code: 'internal' });
    assert.doesNotMatch(response.text, /sqlite|column|title":"x|stack/i);
    const line = server.log.find((entry) => entry.includes('A request failed')) ?? '';
    assert.ok(line.includes(response.body.requestId) && line.includes('no column named updated_at'), line);
    assert.ok(!line.includes('canary'));
  });
});
