import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRequest } from './requests/requests.ts';
import { expected, routeOf } from './table.ts';
import { send, startWorlds } from './worlds.ts';

/**
 * Lines whose rights depend on what the body says, or on things of the person: the body is read first. Validation takes linear time, and
 * lists at most 100 faults.
 */
const bodyFirst: ReadonlySet<string> = new Set([
  'PATCH /api/server',
  'POST /api/auth/revoke-session',
  'POST /api/auth/tokens',
  'POST /api/auth/authorizations to authorize',
  'POST /api/auth/device-requests/approve',
  'PATCH /api/auth/passkeys/{passkeyId}',
  'POST /api/organizations',
  'POST /api/dashboards/{dashboardId}/duplicate',
  'POST /api/uploads/{uploadId}/preview',
  'POST /api/uploads/{uploadId}/import',
  'POST /api/reports/{reportId}/drill the rows',
  'POST /api/explore/profile',
  'POST /api/explore/cube',
  "POST /api/explore/rows a report's result",
]);

test('who has no rights gets the same status for invalid bodies, small and large, as for valid ones', async (context) => {
  const { createWorld } = await startWorlds(context, 'SQLite');
  const wrong: string[] = [];
  let compared = 0;
  for (const [line, statuses] of Object.entries(expected)) {
    const { body: schema, access, ignoresUnknown } = routeOf(line);
    if (schema === undefined || access !== 'session' || statuses.owner >= 400) continue;
    const actor = statuses.viewer >= 400 ? 'viewer' : 'other';
    if (statuses[actor] < 400) continue;
    const world = await createWorld(actor);
    const request = await toRequest(line, world);
    const invalid = ignoresUnknown === undefined ? {} : { name: 1, emailDomains: 1 };
    for (const mistake of ['', 'x'.repeat(20_000)]) {
      const body = { ...(request.body as object), ...invalid, mistake };
      const { status } = await send(world, { ...request, body });
      compared += 1;
      if (status !== (bodyFirst.has(line) ? 400 : statuses[actor]))
        wrong.push(`${line}: ${status} instead of ${statuses[actor]}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(compared > 80, `${compared} comparisons`);
});
