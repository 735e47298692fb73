import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { personalScopes, scopeOf } from '#contract/scopes.ts';
import { upsertAuthenticationPolicy } from '../../../src/server/sessions/policy/store.ts';
import { storePasskey } from '../../support/credentials/authenticator.ts';
import { createToken } from '../../support/credentials/tokens.ts';
import { describeOnUsualEngine, problemOf } from '../../support/server/test-server.ts';
import type { World } from './requests/world.ts';
import { toRequest } from './requests/requests.ts';
import { aboutOrganization, routeOf } from './table.ts';
import { send, startWorlds } from './worlds.ts';

const missing = { status: 403, code: 'second_factor_missing' };

describeOnUsualEngine('an organization that requires a second factor', (engine) => {
  test('refuses sessions and tokens without one on every route, from the next request on', async (context) => {
    const { worldFor } = await startWorlds(context, engine);
    const requests = [];
    for (const [line, { owner: status }] of aboutOrganization) {
      const world = await worldFor('owner', routeOf(line), status);
      requests.push({ line, status, world, request: await toRequest(line, world) });
    }
    const tokens = new Map<World, string>();
    for (const { world } of requests) {
      if (tokens.has(world)) continue;
      const { server, owner, organizationId } = world;
      const { token } = await createToken(server, owner, { organizationId, scopes: [...personalScopes] });
      tokens.set(world, token);
      await requireSecondFactor(world);
    }
    for (const { line, world, request } of requests) {
      const refused = await send(world, request);
      assert.deepEqual(problemOf(refused), missing, line);
      if (scopeOf(routeOf(line).id) === undefined) continue;
      const token = tokens.get(world) ?? assert.fail(line);
      const byToken = await send({ ...world, as: { ...world.owner, token, isBearer: true } }, request);
      assert.deepEqual(problemOf(byToken), missing, `${line}, with a token`);
    }
    for (const { server, owner } of tokens.keys()) await storePasskey(server, owner);
    for (const { line, status, world, request } of requests) {
      const allowed = await send(world, request);
      assert.equal(allowed.status, status, `${line}: ${allowed.text}`);
    }
  });

  test('shows nothing of its content in lists of everything that a person can use', async (context) => {
    const { createWorld } = await startWorlds(context, engine);
    const world = await createWorld('owner');
    const { server, owner, organizationId } = world;
    const create = async (line: string, body: object) => {
      const created = await server.call(line, { as: owner, body });
      assert.equal(created.status, 201, created.text);
      return created.body.id;
    };
    const source = { name: 'canary', kind: 'files' };
    const dataSourceId = await create(`POST /api/organizations/${organizationId}/data-sources`, source);
    const report = { organizationId, dataSourceId, name: 'canary', query: 'select 1' };
    const reportId = await create('POST /api/reports', report);
    const board = { name: 'canary', organizationId, widgets: [{ reportId }] };
    const dashboardId = await create('POST /api/dashboards', board);
    await server.call(`DELETE /api/dashboards/${dashboardId}`, { as: owner });
    await create('POST /api/dashboards', board);
    const { token } = await createToken(server, owner, { organizationId });
    const lists = routes.filter(
      ({ method, path, access }) => method === 'GET' && access === 'session' && !path.includes('{'),
    );
    const shown = async () => {
      const found = [];
      for (const { path } of lists)
        for (const as of [owner, { ...owner, token, isBearer: true }])
          if ((await send({ ...world, as }, { line: `GET ${path}`, ids: [] })).text.includes('canary'))
            found.push(path);
      return new Set(found);
    };
    assert.ok((await shown()).has('/api/dashboards'));
    await requireSecondFactor(world);
    assert.deepEqual(await shown(), new Set());
    await storePasskey(server, owner);
    assert.ok((await shown()).has('/api/dashboards'));
  });
});

/** Requires a second factor of everyone, and gives the owner a password, which nobody knows. */
const requireSecondFactor = ({ server, owner, organizationId }: World) =>
  server.database.write(async (transaction) => {
    await transaction.execute(`update users set password_hash = 'unknown' where id = '${owner.id}'`);
    const policy = { secondFactor: 'everyone', confirmSsoChanges: false } as const;
    await upsertAuthenticationPolicy(transaction, organizationId, policy);
  });
