import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { holdLocks, untilWaiting } from '../../../tests/support/storage/held-locks.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import { invite } from '../../../tests/support/organizations/calls.ts';
import type { SessionActor } from '../base/actor.ts';
import { applySessionLimit } from '../sessions/policy/policy.ts';
import { acceptInvitation } from '../organizations/invitations/invitations.ts';
import { createOrganization } from '../organizations/organizations.ts';
import { authenticate } from '../sessions/sessions.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Eve, and a request of hers that was authenticated, and has not done anything yet. */
async function startRequest(context: TestContext, engine: Engine) {
  const server = await startTestServer(context, engine);
  const { database, clock } = server;
  const eve = await server.createPerson('Eve');
  const actor = await authenticate(database, clock, eve.token);
  assert.ok(actor !== undefined);
  const body = { email: eve.email, organizations: [] };
  const deleteEve = () => server.call('POST /api/auth/delete-account', { as: eve, body });
  const dependencies = { clock, organizationCreation: 'everyone', maxOwnedOrganizations: 50 } as const;
  const found = (transaction: Transaction) =>
    createOrganization(transaction, dependencies, actor, { name: 'Ghost' });
  const memberships = prepare((db) =>
    db.selectFrom('members').select('organization_id').where('user_id', '=', eve.id),
  );
  return { server, eve, actor, deleteEve, found, selectMemberships: () => database.all(memberships, {}) };
}

describeOnBothEngines('a request that is in progress while its account is deleted', (engine) => {
  test('founds no organization, which nobody could manage', async (context) => {
    const { server, deleteEve, found, selectMemberships } = await startRequest(context, engine);
    const deleted = await deleteEve();
    assert.equal(deleted.status, 204, deleted.text);
    await assert.rejects(server.database.write(found), { code: 'unauthenticated' });
    assert.deepEqual(await selectMemberships(), []);
  });

  // On SQLite, writes wait for each other as a whole.
  if (engine === 'SQLite') return;

  test('founds it before the deletion, which is then refused, if it comes first', async (context) => {
    const { server, deleteEve, found } = await startRequest(context, engine);
    const release = await holdLocks(server.database, found);
    const deletion = deleteEve();
    await untilWaiting(server.database, 1);
    await release();
    assert.deepEqual(problemOf(await deletion), { status: 409, code: 'last_owner' });
  });

  test('joins none that the deletion does not see', async (context) => {
    const { server, eve, actor, deleteEve, selectMemberships } = await startRequest(context, engine);
    const owner = await server.createPerson('Olga');
    const organizationId = await server.createOrganization(owner);
    const { token } = await invite(server, owner, organizationId, eve.email);
    const release = await holdLocks(server.database, (transaction) =>
      acceptIn(transaction, server, actor, token),
    );
    const deletion = deleteEve();
    await untilWaiting(server.database, 1);
    await release();
    assert.equal((await deletion).status, 204);
    assert.deepEqual(await selectMemberships(), []);
  });
});

const acceptIn = (
  transaction: Transaction,
  { database, clock }: Pick<Awaited<ReturnType<typeof startTestServer>>, 'database' | 'clock'>,
  actor: SessionActor,
  token: string,
) =>
  acceptInvitation(
    {
      database: { ...database, write: (work) => work(transaction) },
      clock,
      applySessionLimit: (transaction: Transaction, of: { organizationId: string; userId: string }) =>
        applySessionLimit(transaction, clock, of),
    },
    actor,
    token,
  );
