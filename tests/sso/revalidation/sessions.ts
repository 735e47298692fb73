import assert from 'node:assert/strict';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import type { Person, TestServer } from '../../support/server/test-server.ts';

/** Whether a person's session is still open. */
export async function isSignedIn(server: TestServer, as: Person): Promise<boolean> {
  const { status } = await server.call('GET /api/auth/get-session', { as });
  assert.ok([200, 401].includes(status));
  return status === 200;
}

const tokens = prepare((sql, p: { configurationId: string }) =>
  sql
    .selectFrom('sso_refresh_tokens')
    .select(['organization_id as organizationId', 'refresh_token as refreshToken'])
    .where('configuration_id', '=', p.configurationId)
    .orderBy('session_id'),
);

/** Returns the stored refresh tokens of a configuration, opened. */
export const tokensOf = async (
  { database, secretBox }: TestServer,
  configurationId: string,
): Promise<string[]> =>
  (await database.all(tokens, { configurationId })).map(({ organizationId, refreshToken }) =>
    secretBox.open(organizationId, 'sso-refresh-token', refreshToken),
  );

const all = prepare((sql) => sql.deleteFrom('sso_refresh_tokens'));

/** Deletes the refresh tokens of all sessions. */
export const forgetTokens = ({ database }: TestServer): Promise<number> =>
  database.write((transaction) => transaction.run(all, {}));
