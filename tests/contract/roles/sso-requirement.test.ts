import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { describeOnBothEngines, problemOf } from '../../support/server/test-server.ts';
import { withoutIdentity, withUnknownIds, type World } from './requests/world.ts';
import { toRequest } from './requests/requests.ts';
import { expected } from './table.ts';
import { send, startWorlds } from './worlds.ts';

/** The lines of the table about an organization, or about something in it. */
const aboutOrganization = Object.entries(expected).filter(
  ([line, statuses]) =>
    statuses['sso-other'] === 404 &&
    statuses.sso !== 404 &&
    // People can always revoke their own tokens.
    line !== 'DELETE /api/auth/tokens/{tokenId}',
);

describeOnBothEngines('an organization that requires SSO', (engine) => {
  test('refuses every other session on every route, even one that is limited to it', async (context) => {
    const { createWorld } = await startWorlds(context, engine);
    for (const [line, statuses] of aboutOrganization) {
      const world = await createWorld('owner');
      const { server, owner, organizationId } = world;
      const request = await toRequest(line, world);
      await requireSso(world);
      for (const as of [owner, await server.createSsoSession(owner, organizationId, 'operator')]) {
        const refused = await send({ ...world, as }, request);
        assert.deepEqual(problemOf(refused), { status: 403, code: 'sso_required' }, line);
      }
      const elsewhere = await server.createSsoSession(owner, await server.createOrganization(owner));
      const foreign = await send({ ...world, as: elsewhere }, request);
      assert.equal(foreign.status, 404, line);
      if (request.ids.length > 0) {
        const unknown = await send({ ...world, as: elsewhere }, withUnknownIds(request));
        assert.deepEqual(withoutIdentity(foreign), withoutIdentity(unknown), line);
      }
      const allowed = await send(
        { ...world, as: await server.createSsoSession(owner, organizationId) },
        request,
      );
      assert.equal(allowed.status, statuses.sso, `${line}: ${allowed.text}`);
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

const requireSso = ({ server, organizationId }: World) =>
  server.database.write((transaction) => transaction.run(turnOn, { id: organizationId }));

const turnOn = prepare((db, p: { id: string }) =>
  db.updateTable('organizations').set({ require_sso: 1 }).where('id', '=', p.id),
);
