import { owner } from './atrium-server.ts';
import type { Account, LoadRequest } from '../load/requests.ts';

/** Signs in as the first owner, as a browser does. Returns the session and the owner's organization. */
export async function signIn(origin: string): Promise<Account> {
  const { email, password } = owner;
  const response = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (response.status !== 200)
    throw new Error(`The sign-in returned status ${response.status}: ${await response.text()}`);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const organizations = await send(origin, {
    name: 'list organizations',
    method: 'GET',
    path: '/api/organizations',
    headers: { cookie },
    status: 200,
  });
  // Sound because the contract describes a list of organizations, and the owner has one.
  const { items } = organizations as { items: [{ id: string }] };
  return { cookie, organizationId: items[0].id };
}

/**
 * Sends one request and returns the parsed body of its response. Throws if the status is not the expected one.
 */
export async function send(
  origin: string,
  { method, path, headers, body, status }: LoadRequest,
): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, { method, headers, body: body ?? null });
  const text = await response.text();
  if (response.status !== status) {
    throw new Error(`${method} ${path} returned status ${response.status} instead of ${status}: ${text}`);
  }
  return JSON.parse(text);
}

/** Creates a dashboard and returns its id. */
export async function sendForId(origin: string, request: LoadRequest): Promise<string> {
  const { id } = (await send(origin, request)) as { id: string };
  return id;
}
