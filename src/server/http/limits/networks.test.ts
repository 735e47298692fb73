import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../tests/support/server/test-server.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const register = JSON.stringify({ redirect_uris: ['https://agent.example/'] });

/** What is limited by address, and how many requests are permitted. */
const limited: readonly (readonly [line: string, body: string | undefined, most: number])[] = [
  ['POST /api/oauth/register', register, 20],
  ['POST /api/oauth/device_authorization', 'client_id=atrium-cli', 60],
  ['POST /api/oauth/token', 'grant_type=refresh_token&client_id=atrium-cli&refresh_token=x', 100],
  ['POST /api/sso/logout/unknown', 'logout_token=x', 60],
  ['GET /api/sso/logout/unknown?sid=x', undefined, 600],
  ['GET /api/display', undefined, 100],
];

test('a person with a network of IPv6 has no more requests than with one address', async (context) => {
  const server = await startTestServer(context, 'SQLite', { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
  for (const [line, body, most] of limited) {
    const from = async (address: string) => {
      const headers = { ...(body !== register && form), 'x-forwarded-for': address };
      return (await server.call(line, { headers, ...(body !== undefined && { body }) })).status;
    };
    for (let count = 0; count < most; count += 1)
      assert.notEqual(await from(`2001:db8::${count.toString(16)}`), 429, line);
    assert.equal(await from('2001:db8::ffff:ffff:ffff:ffff'), 429, line);
    assert.notEqual(await from('2001:db8:1::1'), 429, line);
  }
});
