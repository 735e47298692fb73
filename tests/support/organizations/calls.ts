import type { Role } from '#contract/organizations/organizations.ts';
import type { TestResponse, Person, TestServer } from '../server/test-server.ts';

export const anId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const at = '2026-11-21T09:00:00.000Z';
export const secondsLater = '2026-11-21T09:00:05.000Z';
export const weekLater = '2026-11-28T09:00:00.000Z';
export const password = 'correct horse battery';

/** The roles that each role can assign, change and remove. */
export const touches: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'editor', 'viewer'],
  admin: ['admin', 'editor', 'viewer'],
  editor: [],
  viewer: [],
};

export async function change(
  server: TestServer,
  as: Person,
  organizationId: string,
  userId: string,
  role: string,
): Promise<TestResponse> {
  return server.call(`PATCH /api/organizations/${organizationId}/members/${userId}`, { as, body: { role } });
}

export async function remove(
  server: TestServer,
  as: Person,
  organizationId: string,
  userId: string,
): Promise<TestResponse> {
  return server.call(`DELETE /api/organizations/${organizationId}/members/${userId}`, { as });
}

/** Returns the members as `owner ada.1@example.com`, sorted. */
export async function membersOf(server: TestServer, as: Person, organizationId: string): Promise<string[]> {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/members?limit=200`, { as });
  return body.items.map(({ role, email }: { role: string; email: string }) => `${role} ${email}`).toSorted();
}

export async function invite(
  server: TestServer,
  as: Person,
  organizationId: string,
  email: string,
  role: Role = 'viewer',
): Promise<TestResponse & { token: string }> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const response = await server.call(`POST ${path}`, { as, body: { email, role } });
  return { ...response, token: String(response.body.link).split('#')[1] ?? '' };
}

export const accept = (server: TestServer, as: Person, token: string): Promise<TestResponse> =>
  server.call('POST /api/invitations/accept', { as, body: { token } });

export const readInvitation = (server: TestServer, token: string): Promise<TestResponse> =>
  server.call('POST /api/invitations/read', { body: { token } });

export const signUp = (server: TestServer, token: string, name = 'Bob'): Promise<TestResponse> =>
  server.call('POST /api/invitations/sign-up', { body: { token, name, password } });

export async function listInvitations(
  server: TestServer,
  as: Person,
  organizationId: string,
): Promise<TestResponse> {
  return server.call(`GET /api/organizations/${organizationId}/invitations`, { as });
}

/** Returns the pages of a list, with two items each, as the values of one field of the items. */
export async function pagesOf(
  server: TestServer,
  as: Person,
  path: string,
  member: string,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? 'limit=2' : `limit=2&cursor=${cursor}`;
    const { body } = await server.call(`GET ${path}?${query}`, { as });
    pages.push(body.items.map((item: Record<string, string>) => item[member]));
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Splits ids into pages of two, sorted, since ids of the same millisecond have no other order. */
export function inPages(ids: readonly string[]): string[][] {
  const sorted = ids.toSorted();
  return [sorted.slice(0, 2), sorted.slice(2, 4), sorted.slice(4)];
}

export const statusesOf = (responses: readonly TestResponse[]): number[] =>
  responses.map(({ status }) => status).toSorted((one, other) => one - other);

export const notFound = { status: 404, code: 'not_found' };
export const linkNotValid = { status: 404, code: 'link_not_valid' };
export const forbidden = { status: 403, code: 'forbidden' };
export const alreadyMember = { status: 409, code: 'already_member' };
