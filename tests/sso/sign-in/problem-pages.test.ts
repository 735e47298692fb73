import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

describeSignIns('a sign-in that fails', (world) => {
  test('shows a page to a browser that navigates, and returns a problem document otherwise', async () => {
    const line = 'GET /api/sso/callback/x?state=y&code=z&error_description=%3Cscript%3Ealert(1)%3C/script%3E';
    const page = await world.server.call(line, { headers: { accept } });
    assert.deepEqual([page.status, page.headers['content-type']], [400, 'text/html; charset=utf-8']);
    assert.equal(page.headers['cache-control'], 'no-store');
    const nonce = /<style nonce="([^"]+)"|nonce="([^"]+)"/.exec(page.text);
    assert.match(
      String(page.headers['content-security-policy']),
      /script-src 'self'; style-src 'self' 'nonce-/,
    );
    assert.ok(nonce !== null);
    assert.match(page.text, /<meta name="atrium-problem" content="[^"]*sign_in_expired[^"]*"/);
    assert.ok(!page.text.includes('alert(1)'), 'what the address says is not in the page');
    for (const other of ['application/json', '*/*', 'application/problem+json']) {
      const { headers } = await world.server.call(line, { headers: { accept: other } });
      assert.match(String(headers['content-type']), /^application\/problem\+json/, other);
    }
  });

  test('shows the message of the refusal as text', async () => {
    const organization = await world.createOrganization({ isVerified: false });
    const page = await world.server.call(`GET /api/sso/start/${organization.id}`, { headers: { accept } });
    assert.equal(page.status, 403);
    assert.match(page.text, /content="\{&quot;type&quot;:[^"<>]*sign_in_refused[^"<>]*"/);
  });

  test('elsewhere, the API responds to a browser like to any client', async () => {
    for (const line of ['GET /api/dashboards', 'GET /api/nothing', 'GET /api/organizations/x']) {
      const { headers } = await world.server.call(line, { headers: { accept } });
      assert.match(String(headers['content-type']), /^application\/problem\+json/, line);
    }
  });
});
