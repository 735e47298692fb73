import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { startTestServer, type Person, type TestResponse, type TestServer } from '../server/test-server.ts';
import { setPassword } from './passwords.ts';

/** The password of Ada. */
export const password = 'correct horse battery';

/** Starts a server with a mail server, and Ada, who has a password and an organization. */
export async function startOffice(
  ...start: Parameters<typeof startTestServer>
): Promise<{ server: TestServer; ada: Person; organizationId: string }> {
  const server = await startTestServer(...start);
  server.mailServer.state = 'accepts';
  const ada = await server.createPerson('Ada');
  await setPassword(server, ada, password);
  const organizationId = await server.createOrganization(ada);
  return { server, ada, organizationId };
}

/** Returns what a person sees of their second factors. */
export const factorsOf = async (server: TestServer, as: Person): Promise<TestResponse['body']> =>
  (await server.call('GET /api/auth/second-factors', { as })).body;

/** Returns the kinds of second factors with which a person can confirm who they are. */
export const methodsOf = async (server: TestServer, as: Person): Promise<TestResponse['body']> =>
  (await server.call('GET /api/auth/account', { as })).body.secondFactors;

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
