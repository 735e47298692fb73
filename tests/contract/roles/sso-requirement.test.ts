import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { describeOnUsualEngine, problemOf } from '../../support/server/test-server.ts';
import { withoutIdentity, withUnknownIds, type World } from './requests/world.ts';
import { toRequest } from './requests/requests.ts';
import { aboutOrganization, routeOf } from './table.ts';
import { send, startWorlds } from './worlds.ts';

describeOnUsualEngine('an organization that requires SSO', (engine) => {
  test('refuses every other session on every route, even one that is limited to it', async (context) => {
    const { worldFor } = await startWorlds(context, engine);
    const requests = [];
    for (const [line, { owner, sso }] of aboutOrganization) {
      const world = await worldFor('owner', routeOf(line), owner);
      requests.push({ line, status: sso, world, request: await toRequest(line, world) });
    }
    const sessions = new Map<World, Awaited<ReturnType<typeof startSessions>>>();
    for (const { world } of requests) {
      if (sessions.has(world)) continue;
      sessions.set(world, await startSessions(world));
      await requireSso(world);
    }
    for (const { line, status, world, request } of requests) {
      const { refused, elsewhere, allowed } = sessions.get(world) ?? assert.fail(line);
      for (const as of refused) {
        const response = await send({ ...world, as }, request);
        assert.deepEqual(problemOf(response), { status: 403, code: 'sso_required' }, line);
      }
      const foreign = await send({ ...world, as: elsewhere }, request);
      assert.equal(foreign.status, 404, line);
      if (request.ids.length > 0) {
        const unknown = await send({ ...world, as: elsewhere }, withUnknownIds(request));
        assert.deepEqual(withoutIdentity(foreign), withoutIdentity(unknown), line);
      }
      const response = await send({ ...world, as: allowed }, request);
      assert.equal(response.status, status, `${line}: ${response.text}`);
    }
  });

  test('accepts a recovery code, and lists no dashboard in any other session', async (context) => {
    const { createWorld } = await startWorlds(context, engine);
    const world = await createWorld('owner');
    const { server, owner, organizationId } = world;
    const body = { name: 'Sales', organizationId };
    const { id } = (await server.call('POST /api/dashboards', { as: owner, body })).body;
    await requireSso(world);
    const isListed: Record<string, boolean> = {};
    for (const method of ['sso', 'recovery_code', 'operator', 'password', 'invitation', 'set_up'] as const) {
      const as = await server.createSsoSession(owner, organizationId, method);
      isListed[method] = (await server.call('GET /api/dashboards', { as })).text.includes(id);
    }
    assert.deepEqual(isListed, {
      sso: true,
      recovery_code: true,
      operator: false,
      password: false,
      invitation: false,
      set_up: false,
    });
    assert.deepEqual((await server.call('GET /api/dashboards', { as: owner })).body, { items: [] });
  });
});

/** Starts sessions of the owner: two without any provider, one from that of another organization, and one from its own. */
async function startSessions({ server, owner, organizationId }: World) {
  return {
    refused: [owner, await server.createSsoSession(owner, organizationId, 'operator')],
    elsewhere: await server.createSsoSession(owner, await server.createOrganization(owner)),
    allowed: await server.createSsoSession(owner, organizationId),
  };
}

const requireSso = ({ server, organizationId }: World) =>
  server.database.write((transaction) => transaction.run(turnOn, { id: organizationId }));

const turnOn = prepare((db, p: { id: string }) =>
  db.updateTable('organizations').set({ require_sso: 1 }).where('id', '=', p.id),
);
