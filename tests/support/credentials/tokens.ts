import assert from 'node:assert/strict';
import type { NewToken, TokenInput } from '#contract/credentials/tokens.ts';
import { daysMs, timestamp } from '../../../src/server/base/clock.ts';
import type { Person, TestServer } from '../server/test-server.ts';

/** When the clock of a test server starts, and the default expiry of its tokens: 30 days later. */
const inThirtyDays = timestamp(Date.UTC(2026, 10, 21, 9) + daysMs(30));

/** Creates a personal token for an organization; by default, one that reads. */
export async function createToken(
  server: TestServer,
  as: Person,
  { organizationId, ...input }: { readonly organizationId: string } & Partial<TokenInput>,
): Promise<NewToken> {
  const response = await server.call('POST /api/auth/tokens', {
    as,
    body: { organizationId, name: 'Script', scopes: ['read'], expiresAt: inThirtyDays, ...input },
  });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** Creates a service account with a token. */
export async function createServiceAccount(
  server: TestServer,
  as: Person,
  {
    organizationId,
    role = 'viewer',
    ...input
  }: { readonly organizationId: string; readonly role?: string } & Partial<TokenInput>,
): Promise<NewToken> {
  const path = `/api/organizations/${organizationId}/service-accounts`;
  const account = await server.call(`POST ${path}`, { as, body: { name: 'Pipeline', role } });
  assert.equal(account.status, 201, account.text);
  const response = await server.call(`POST ${path}/${account.body.id}/tokens`, {
    as,
    body: { name: 'Nightly', scopes: ['read'], expiresAt: inThirtyDays, ...input },
  });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** The header with which a token is sent. */
export const bearer = ({ token }: { readonly token: string }): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
});
