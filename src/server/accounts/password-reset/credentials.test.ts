import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  authorizeByCode,
  commandLine,
  giveCode,
  sendForm,
  useCode,
} from '../../../../tests/support/credentials/oauth.ts';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { createDashboard } from '../../../../tests/support/dashboards/team.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Engine,
  type Person,
} from '../../../../tests/support/server/test-server.ts';
import { storeGrant } from '../../credentials/oauth/authorization/grants.ts';
import { createPersonalToken } from '../../credentials/tokens.ts';
import { createLink } from '../../dashboards/display/links.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { lockSession } from '../../sessions/locked-session.ts';
import { authenticate } from '../../sessions/sessions.ts';
import { createPasswordReset } from './password-reset.ts';

const scopes = ['read'] as const;

/** Ada owns two organizations, each with a dashboard. */
async function startOffice(context: TestContext, engine: Engine) {
  const server = await startTestServer(context, engine);
  server.mailServer.state = 'accepts';
  const ada = await server.createPerson('Ada');
  await setPassword(server, ada, 'the old password');
  const organizationIds = [
    await server.createOrganization(ada),
    await server.createOrganization(ada),
  ] as const;
  const [organizationId] = organizationIds;
  const dashboardId = await createDashboard(server, ada, { name: 'Board', organizationId });
  const createDisplay = async (as: Person): Promise<{ token: string }> => {
    const path = `/api/dashboards/${dashboardId}/display-links`;
    const response = await server.call(`POST ${path}`, { as, body: { name: 'Lobby' } });
    assert.equal(response.status, 201, response.text);
    return response.body;
  };
  /** Chooses a new password with the link that the command of the operator or an email has. */
  const reset = async () => {
    const token = await server.database.write((transaction) =>
      createPasswordReset(transaction, server.clock, ada.id),
    );
    const body = { token, newPassword: 'a whole new passphrase' };
    const response = await server.call('POST /api/auth/reset-password', { body });
    assert.equal(response.status, 200, response.text);
    await finishAfterResponses(server.app.server);
    return response.body;
  };
  return { server, ada, organizationIds, organizationId, dashboardId, createDisplay, reset };
}

describeOnUsualEngine('what a stolen account has created', (engine) => {
  test('ends in all organizations when the password is reset, and nothing of others does', async (context) => {
    const { server, ada, organizationIds, organizationId, createDisplay, reset } = await startOffice(
      context,
      engine,
    );
    const bob = await server.createMember(organizationId, 'admin');
    const tokens = [];
    for (const id of organizationIds) tokens.push(await createToken(server, ada, { organizationId: id }));
    const program = await authorizeByCode(server, ada, { organizationId, scopes });
    const given = await giveCode(server, ada, { organizationId, scopes });
    const display = await createDisplay(ada);
    const kept = [
      await createToken(server, bob, { organizationId }),
      await createServiceAccount(server, ada, { organizationId }),
    ];
    const displayOfBob = await createDisplay(bob);
    const read = async (token: { token: string }) =>
      (await server.call('GET /api/dashboards', bearer(token))).status;
    const show = async (token: { token: string }) =>
      (await server.call('GET /api/display', bearer(token))).status;
    const own = [...tokens, { token: program.access_token }];
    for (const token of own) assert.equal(await read(token), 200);
    assert.equal(await show(display), 200);

    assert.deepEqual(await reset(), { endedSessions: 1, endedTokens: 4, endedDisplayLinks: 1 });
    for (const token of own) assert.equal(await read(token), 401);
    const refreshed = await sendForm(server, 'token', {
      grant_type: 'refresh_token',
      client_id: commandLine.clientId,
      refresh_token: program.refresh_token,
    });
    assert.deepEqual([refreshed.status, (await useCode(server, given)).status], [400, 400]);
    assert.equal(await show(display), 404);
    for (const token of kept) assert.equal(await read(token), 200);
    assert.equal(await show(displayOfBob), 200);

    const { text = '' } = server.mails.at(-1) ?? {};
    assert.match(text, /4 tokens and programs .* and 1 link for wall displays/);
    assert.match(text, /passkeys.*service accounts/s);
    for (const [index, id] of organizationIds.entries()) {
      const as = await server.createSsoSession(ada, id);
      const path = `/api/organizations/${id}/audit?action=account.password_reset`;
      const [{ details }] = (await server.call(`GET ${path}`, { as })).body.items;
      const { endedTokens, endedDisplayLinks } = details;
      assert.deepEqual([endedTokens, endedDisplayLinks], index === 0 ? [3, 1] : [1, 0]);
    }
  });

  test('can’t be created in a request that began before the reset', async (context) => {
    const { server, ada, organizationId, dashboardId, reset } = await startOffice(context, engine);
    const { database, clock } = server;
    const thief = await authenticate(database, clock, ada.token);
    assert.ok(thief !== undefined);
    await reset();
    const ended = { code: 'unauthenticated' };
    const input = { organizationId, name: 'Script', scopes: [...scopes], expiresAt: '2026-12-01' };
    await assert.rejects(createPersonalToken({ database, clock }, thief, input), ended);
    const client = { id: commandLine.clientId, name: 'Program' };
    const grant = { client, organizationId, scopes: [...scopes], asked: scopes, pointer: '/scopes' };
    await assert.rejects(
      database.write((transaction) => storeGrant(transaction, clock, thief, grant as never)),
      ended,
    );
    const link = { dashboardId, input: { name: 'Lobby' } };
    await assert.rejects(createLink({ database, clock, lockSession }, thief, link), ended);
  });
});
