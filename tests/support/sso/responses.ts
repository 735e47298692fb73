import assert from 'node:assert/strict';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import type { TestResponse, Person, TestServer } from '../server/test-server.ts';

/** Returns the person that a response has signed in. */
export async function toPerson(server: TestServer, response: TestResponse): Promise<Person> {
  assert.ok([200, 302].includes(response.status), response.text);
  const cookie = cookieOf(response);
  assert.ok(cookie.startsWith(`${sessionCookie}=`), cookie);
  const who = await server.call('GET /api/auth/get-session', { headers: { cookie } });
  const token = cookie.slice(sessionCookie.length + 1);
  return { id: who.body.user.id, email: who.body.user.email, token };
}

/** Returns the first cookie that a response sets, as a browser sends it back. */
export const cookieOf = ({ headers }: TestResponse): string =>
  [headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';

/** Returns the token of the page to which a callback redirects a browser to confirm a link. */
export function linkTokenOf(response: TestResponse): string {
  assert.deepEqual([response.status, response.text], [302, '']);
  const [, token = ''] = /^\/sign-in\/link#([\w-]{43})$/.exec(String(response.headers.location)) ?? [];
  assert.notEqual(token, '', String(response.headers.location));
  return token;
}

/** Returns the path and query of a URL of the server. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
