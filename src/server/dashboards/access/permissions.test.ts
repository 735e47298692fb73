import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '#contract/organizations/organizations.ts';
import { share, startTeam, type Team } from '../../../../tests/support/dashboards/team.ts';
import { describeOnBothEngines, type Person } from '../../../../tests/support/server/test-server.ts';
import { prepare } from '../../storage/prepared-query.ts';

/**
 * What a member may do with a dashboard of the organization, depending on the member's role, the member's relation to the
 * dashboard, and whether the dashboard is restricted to the people it is shared with.
 */
const table = `
                                may     view edit history names share transfer delete restore purge
owner   its owner   open        manage  200  200  200     200   200   200      204    200     204
owner   its owner   restricted  manage  200  200  200     200   200   200      204    200     204
owner   named view  open        manage  200  200  200     200   200   200      204    200     204
owner   named view  restricted  manage  200  200  200     200   200   200      204    200     204
owner   named edit  open        manage  200  200  200     200   200   200      204    200     204
owner   named edit  restricted  manage  200  200  200     200   200   200      204    200     204
owner   not named   open        manage  200  200  200     200   200   200      204    200     204
owner   not named   restricted  manage  200  200  200     200   200   200      204    200     204
admin   its owner   open        manage  200  200  200     200   200   200      204    200     204
admin   its owner   restricted  manage  200  200  200     200   200   200      204    200     204
admin   named view  open        manage  200  200  200     200   200   200      204    200     204
admin   named view  restricted  manage  200  200  200     200   200   200      204    200     204
admin   named edit  open        manage  200  200  200     200   200   200      204    200     204
admin   named edit  restricted  manage  200  200  200     200   200   200      204    200     204
admin   not named   open        manage  200  200  200     200   200   200      204    200     204
admin   not named   restricted  manage  200  200  200     200   200   200      204    200     204
editor  its owner   open        manage  200  200  200     200   200   200      204    200     204
editor  its owner   restricted  manage  200  200  200     200   200   200      204    200     204
editor  named view  open        edit    200  200  200     200   403   403      204    200     403
editor  named view  restricted  view    200  403  403     403   403   403      403    403     403
editor  named edit  open        edit    200  200  200     200   403   403      204    200     403
editor  named edit  restricted  edit    200  200  200     200   403   403      204    200     403
editor  not named   open        edit    200  200  200     200   403   403      204    200     403
editor  not named   restricted  -       404  404  404     404   404   404      404    404     404
viewer  its owner   open        view    200  403  403     403   403   403      403    403     403
viewer  its owner   restricted  view    200  403  403     403   403   403      403    403     403
viewer  named view  open        view    200  403  403     403   403   403      403    403     403
viewer  named view  restricted  view    200  403  403     403   403   403      403    403     403
viewer  named edit  open        edit    200  200  200     200   403   403      204    200     403
viewer  named edit  restricted  edit    200  200  200     200   403   403      204    200     403
viewer  not named   open        view    200  403  403     403   403   403      403    403     403
viewer  not named   restricted  -       404  404  404     404   404   404      404    404     404
`;

const lines = table.split('\n').slice(2, -1);

describeOnBothEngines('the permissions of dashboards', (engine) => {
  test('match the table', async (context) => {
    const team = await startTeam(context, engine);
    const seen: string[] = [];
    for (const line of lines) {
      const situation = line.slice(0, 31);
      seen.push(`${situation} ${await tryAll(team, situation)}`);
    }
    assert.deepEqual(seen, lines.map(normal));
  });

  test('decide what lists and the trash show', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, organizationId } = team;
    for (const line of lines) {
      const { id, member } = await makeSituation(team, line.slice(0, 31));
      const [may = '', view] = line.slice(31).trim().split(/ +/);
      const has = async (path: string) => (await server.call(path, { as: member })).text.includes(id);
      const scope = `?limit=200&organizationId=${organizationId}`;
      assert.equal(await has(`GET /api/dashboards${scope}`), view === '200', line);
      await server.call(`DELETE /api/dashboards/${id}`, { as: ada });
      const isRestorable = may === 'manage' || may === 'edit';
      assert.deepEqual(
        [await has(`GET /api/dashboards${scope}`), await has(`GET /api/trash/dashboards${scope}`)],
        [false, isRestorable],
        line,
      );
      assert.equal(await has('GET /api/trash/dashboards?limit=200'), isRestorable, line);
      await server.call(`DELETE /api/trash/dashboards/${id}`, { as: ada });
    }
  });
});

const normal = (line: string): string =>
  `${line.slice(0, 31)} ${line.slice(31).trim().replaceAll(/ +/g, ' ')}`;

/** Creates the dashboard and the member that a line of the table describes. */
async function makeSituation(
  { server, ada, organizationId }: Team,
  situation: string,
): Promise<{ id: string; member: Person }> {
  const [, role, relation, restriction] = /^(\S+) +(\S+ \S+) +(\S+)$/.exec(situation.trim()) ?? [];
  // Sound because that column of the table holds only roles.
  const member = await server.createMember(organizationId, role as Role);
  const body = { name: 'Sales', organizationId };
  const { id } = (await server.call('POST /api/dashboards', { as: ada, body })).body;
  if (relation === 'its owner') {
    await server.database.write((transaction) => transaction.run(setOwner, { id, userId: member.id }));
  }
  const access = relation === 'named view' ? 'view' : relation === 'named edit' ? 'edit' : undefined;
  await share(server, ada, id, {
    restricted: restriction === 'restricted',
    members: access === undefined ? [] : [{ userId: member.id, access }],
  });
  return { id, member };
}

/** Returns the member's access and the status of each operation. What the member may not do, Ada does for the next operation. */
async function tryAll(team: Team, situation: string): Promise<string> {
  const { server, ada } = team;
  const { id, member } = await makeSituation(team, situation);
  const path = `/api/dashboards/${id}`;
  const call = (line: string, body?: object) =>
    server.call(line, { as: member, headers: { 'if-match': '*' }, ...(body && { body }) });
  const permissions = await call(`GET ${path}/permissions`);
  const { restricted, members } = (await server.call(`GET ${path}/access`, { as: ada })).body;
  const { userId } = (await server.call(`GET ${path}`, { as: ada })).body;
  const responses = [
    await call(`GET ${path}`),
    await call(`PATCH ${path}`, { name: 'Sales 2' }),
    await call(`GET ${path}/versions`),
    await call(`GET ${path}/access`),
    await call(`PUT ${path}/access`, {
      restricted,
      members: members.map(({ userId, access: level }: { userId: string; access: string }) => ({
        userId,
        access: level,
      })),
    }),
    // Transferring it to somebody else would change the situation, and a viewer can't become the owner.
    await call(`POST ${path}/transfer`, { userId: situation.startsWith('viewer') ? ada.id : userId }),
    await call(`DELETE ${path}`),
  ];
  if (responses.at(-1)?.status !== 204) await server.call(`DELETE ${path}`, { as: ada });
  const trash = `/api/trash/dashboards/${id}`;
  responses.push(await call(`POST ${trash}/restore`));
  await server.call(`DELETE ${path}`, { as: ada });
  responses.push(await call(`DELETE ${trash}`));
  return [permissions.body.access ?? '-', ...responses.map(({ status }) => status)].join(' ');
}

const setOwner = prepare((db, p: { id: string; userId: string }) =>
  db.updateTable('dashboards').set({ user_id: p.userId }).where('id', '=', p.id),
);
