import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Person, TestResponse, TestServer } from '../server/test-server.ts';

/** Returns the code that an authenticator app shows at the server's time, or some seconds later. */
export const codeOf = ({ clock }: TestServer, secret: string, laterS = 0): string =>
  new TOTP({ secret }).generate({ timestamp: clock() + laterS * 1_000 });

/** Sets up an authenticator app for a person with a password who has just signed in. */
export async function setUpApp(
  server: TestServer,
  as: Person,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const started = await server.call('POST /api/auth/authenticator-app', { as });
  assert.equal(started.status, 200, started.text);
  const { secret } = started.body;
  const confirmed = await server.call('POST /api/auth/authenticator-app/confirm', {
    as,
    body: { code: codeOf(server, secret) },
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}

/** Enters a correct password. Returns the response, and the cookie of the second step. */
export async function enterPassword(
  server: TestServer,
  { email }: Person,
  password: string,
): Promise<{ response: TestResponse; cookie: string }> {
  const response = await server.call('POST /api/auth/sign-in/email', { body: { email, password } });
  const cookie = /^atrium\.second_step=[\w-]{43}/.exec(String(response.headers['set-cookie']))?.[0];
  assert.ok(cookie !== undefined, response.text);
  return { response, cookie };
}
