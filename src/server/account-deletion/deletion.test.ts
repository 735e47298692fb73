import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOperator } from '../../../tests/support/organizations/operators.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Person,
  type TestResponse,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { runOn } from '../../../tests/support/server/commands.ts';
import { invite } from '../../../tests/support/organizations/calls.ts';
import { daysMs } from '../base/clock.ts';
import { deleteByOperator, restoreByOperator } from '../organization-deletion/deletion.ts';
import { sweepInvitations } from '../organizations/invitations/invitations.ts';
import { findAccountById } from '../organizations/users.ts';
import { prepare } from '../storage/prepared-query.ts';

const path = '/api/auth/delete-account';

interface Choice {
  readonly organizationId: string;
  readonly handOverTo: string | null;
}

const deleteAs = (
  server: TestServer,
  as: Person,
  organizations: readonly Choice[] = [],
  email = as.email,
): Promise<TestResponse> => server.call(`POST ${path}`, { as, body: { email, organizations } });

/** A newsroom whose editor Eve owns a report, a dashboard with it, a folder, and her personal folder. */
async function hireEve({ server, owner, organizationId, id: dataSourceId }: Newsroom) {
  const eve = await server.createPerson('Eve');
  await server.addMember(organizationId, eve, 'editor');
  const post = async (line: string, body: object): Promise<{ id: string }> => {
    const response = await server.call(`POST ${line}`, { as: eve, body });
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  const report = await post('/api/reports', {
    organizationId,
    name: 'Sales',
    dataSourceId,
    query: 'SELECT 1',
  });
  const widgets = [{ id: 'w1', reportId: report.id, name: 'Sales', type: 'table' }];
  const dashboard = await post('/api/dashboards', { organizationId, name: 'Week', widgets });
  const folder = await post(`/api/organizations/${organizationId}/folders`, { name: 'Plans' });
  await server.call(`PUT /api/organizations/${organizationId}/personal-folder`, { as: eve });
  const own = await post('/api/dashboards', { name: 'Diary' });
  return { eve, owner, report, dashboard, folder, own };
}

describeOnBothEngines('the deletion of an account', (engine) => {
  test('hands over what the person owns, and ends everything of theirs', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const { eve, report, dashboard, folder, own } = await hireEve(newsroom);
    const other = await server.createMember(organizationId, 'editor');
    const preview = await server.call(`GET ${path}`, { as: eve });
    assert.deepEqual(preview.body, {
      organizations: [
        {
          organizationId,
          name: 'Organization',
          role: 'editor',
          isLastOwner: false,
          mayHandOver: true,
          dashboards: { count: 1, restricted: 0 },
          reports: { count: 1, restricted: 0 },
          folders: { count: 2, restricted: 1 },
          dataSources: { count: 0, restricted: 0 },
        },
      ],
      personalDashboards: 1,
      isLastOperator: false,
    });
    const token = await server.call('POST /api/auth/tokens', {
      as: eve,
      body: { organizationId, name: 'Script', scopes: ['read'], expiresAt: '2026-11-28T09:00:00.000Z' },
    });
    const deleted = await deleteAs(server, eve, [{ organizationId, handOverTo: other.id }]);
    assert.equal(deleted.status, 204, deleted.text);
    assert.match(String(deleted.headers['set-cookie']), /^auth\.session_token=; .*Max-Age=0;/);
    for (const as of [eve, { ...eve, token: token.body.token, isBearer: true }])
      assert.equal((await server.call('GET /api/organizations', { as })).status, 401);

    const read = async (line: string) => (await server.call(line, { as: owner })).body;
    assert.equal((await read(`GET /api/reports/${report.id}/permissions`)).isOwner, false);
    for (const line of [`/api/reports/${report.id}`, `/api/dashboards/${dashboard.id}`])
      assert.deepEqual(
        (await server.call(`GET ${line}/permissions`, { as: other })).body,
        { access: 'manage', isOwner: true, restricted: false },
        line,
      );
    const folders = await server.call(`GET /api/organizations/${organizationId}/folders`, { as: other });
    const ownedBy = folders.body.items.map(({ name, userId }: { name: string; userId: string }) => [
      name,
      userId,
    ]);
    assert.deepEqual(ownedBy, [
      ['Handed over', other.id],
      ['Plans', other.id],
    ]);
    assert.equal(folders.body.items.find(({ id }: { id: string }) => id === folder.id).access, 'manage');
    assert.equal((await server.call(`GET /api/dashboards/${own.id}`, { as: eve })).status, 401);
    const members = await read(`GET /api/organizations/${organizationId}/members`);
    assert.deepEqual(
      members.items.map(({ userId }: { userId: string }) => userId).toSorted(),
      [owner.id, other.id].toSorted(),
    );
    const versions = await read(`GET /api/reports/${report.id}/versions`);
    for (const { userName } of versions.items) assert.match(userName, /^Deleted person [2-9A-Z]{10}$/);
    const audit = await read(`GET /api/organizations/${organizationId}/audit?action=account.deleted`);
    const [entry] = audit.items;
    assert.match(entry.actorEmail, /^deleted-[2-9a-z]{10}@deleted-accounts\.invalid$/);
    assert.deepEqual(entry.details, { userId: eve.id, role: 'editor', handedTo: other.id });
  });

  test('moves what the person owns to the trash, except what others use', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, id: dataSourceId } = newsroom;
    const { eve, report, dashboard, folder } = await hireEve(newsroom);
    const query = { organizationId, dataSourceId, query: 'SELECT 2' };
    const shown = await server.call('POST /api/reports', { as: eve, body: { ...query, name: 'Shown' } });
    const widgets = [{ id: 'w1', reportId: shown.body.id, name: 'Shown', type: 'table' }];
    await server.call('POST /api/dashboards', { as: owner, body: { organizationId, name: 'Ours', widgets } });
    const sources = `/api/organizations/${organizationId}/data-sources`;
    const unused = await server.call(`POST ${sources}`, { as: eve, body: { name: 'Unused', kind: 'files' } });

    const deleted = await deleteAs(server, eve, [{ organizationId, handOverTo: null }]);
    assert.equal(deleted.status, 204, deleted.text);
    const statusOf = async (line: string) => (await server.call(`GET ${line}`, { as: owner })).status;
    assert.equal(await statusOf(`/api/dashboards/${dashboard.id}`), 404);
    assert.equal(await statusOf(`/api/reports/${report.id}`), 404);
    assert.equal(await statusOf(`/api/folders/${folder.id}`), 404);
    assert.equal(await statusOf(`/api/reports/${shown.body.id}`), 200);
    assert.equal(await statusOf(`/api/data-sources/${unused.body.id}`), 404);
    const restored = await server.call(`POST /api/trash/dashboards/${dashboard.id}/restore`, { as: owner });
    assert.equal(restored.status, 200, restored.text);
  });

  test('requires a confirmation, the address, and a choice for what the person owns', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId, owner } = newsroom;
    const { eve } = await hireEve(newsroom);
    const viewer = await server.createMember(organizationId, 'viewer');
    const stranger = await server.createPerson('Stranger');
    const elsewhere = await server.createOrganization(stranger);
    const refused = async (choices: readonly Choice[], email?: string) => {
      const { status, body } = await deleteAs(server, eve, choices, email);
      return [status, body.code, body.errors?.[0]?.pointer];
    };
    const invalid = (pointer: string) => [400, 'invalid_body', pointer];
    assert.deepEqual(await refused([{ organizationId, handOverTo: null }], owner.email), invalid('/email'));
    assert.deepEqual(await refused([]), invalid('/organizations'));
    // Neither strangers, nor members who may not own anything, nor the person.
    for (const { id } of [stranger, viewer, eve])
      assert.deepEqual(
        await refused([{ organizationId, handOverTo: id }]),
        invalid('/organizations/0/handOverTo'),
      );
    assert.deepEqual(
      await refused([{ organizationId: elsewhere, handOverTo: stranger.id }]),
      invalid('/organizations/0'),
    );
    server.advance(11 * 60_000);
    assert.deepEqual(await refused([{ organizationId, handOverTo: null }]), [
      403,
      'confirmation_required',
      undefined,
    ]);
    assert.equal((await server.call('GET /api/auth/get-session', { as: eve })).status, 200);
  });

  test('gives nobody a server that they could not manage, and no report’s data source', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, id: dataSourceId } = newsroom;
    const admin = await server.createPerson('Admin');
    await server.addMember(organizationId, admin, 'admin');
    const editor = await server.createMember(organizationId, 'editor');
    const { database } = server;
    await database.write((transaction) =>
      transaction.execute(
        `insert into data_sources (id, organization_id, name, kind, created_at, updated_at, user_id, restricted)
         values ('server', '${organizationId}', 'Server', 'postgresql', '2026-01-01', '2026-01-01', '${admin.id}', 1)`,
      ),
    );
    await server.call(`PUT /api/data-sources/${dataSourceId}/access`, {
      as: owner,
      body: { restricted: true, members: [], groups: [] },
    });
    const report = await server.call('POST /api/reports', {
      as: admin,
      body: { organizationId, name: 'Sales', dataSourceId, query: 'SELECT 1' },
    });
    assert.equal((await deleteAs(server, admin, [{ organizationId, handOverTo: editor.id }])).status, 204);
    const permissions = await server.call(`GET /api/reports/${report.body.id}/permissions`, { as: editor });
    assert.equal(permissions.body.isOwner, true);
    const change = await server.call(`PUT /api/reports/${report.body.id}`, {
      as: editor,
      body: { name: 'Sales', dataSourceId, query: 'SELECT 2' },
      headers: { 'if-match': '*' },
    });
    assert.deepEqual(problemOf(change).faults, ['/dataSourceId unknown']);
    for (const id of ['server', dataSourceId])
      assert.equal((await server.call(`GET /api/data-sources/${id}`, { as: editor })).status, 404);
  });

  test('is refused to the last owner and the last operator', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await server.createOrganization(ada);
    const refused = await deleteAs(server, ada);
    assert.deepEqual(problemOf(refused), { status: 409, code: 'last_owner' });
    assert.match(refused.body.detail, /last owner of “Organization”/);
    const bob = await server.createPerson('Bob');
    await makeOperator(server, bob);
    assert.equal((await server.call(`GET ${path}`, { as: bob })).body.isLastOperator, true);
    assert.deepEqual(problemOf(await deleteAs(server, bob)), { status: 409, code: 'last_operator' });
    await makeOperator(server, ada);
    assert.equal((await deleteAs(server, bob)).status, 204);
  });

  test('leaves an owner when all owners delete their accounts at the same time', async (context) => {
    const server = await startTestServer(context, engine);
    const owners = await Promise.all(['Ada', 'Bob', 'Eve'].map((name) => server.createPerson(name)));
    const [ada] = owners;
    assert.ok(ada);
    const id = await server.createOrganization(ada);
    for (const owner of owners.slice(1)) await server.addMember(id, owner, 'owner');
    const responses = await Promise.all(owners.map((owner) => deleteAs(server, owner)));
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((one, other) => one - other),
      [204, 204, 409],
    );
  });

  test('by the directory of one organization ends only an account that is nowhere else', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [first, second] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    for (const id of [first, second]) await server.addMember(id, eve, 'editor');
    const session = await server.createSsoSession(eve, first);
    const forbidden = { status: 403, code: 'forbidden' };
    assert.deepEqual(problemOf(await deleteAs(server, session)), forbidden);
    await server.call(`DELETE /api/organizations/${second}/members/${eve.id}`, { as: ada });
    await setPassword(server, eve, 'a password of Eve');
    assert.deepEqual(problemOf(await deleteAs(server, session)), forbidden);
    const directoryOnly = await server.createPerson('Mallory');
    await server.addMember(first, directoryOnly, 'viewer');
    const limited = await server.createSsoSession(directoryOnly, first);
    // A deleted organization can be restored by its owners, and a suspended membership by the directory.
    const deleted = await server.createOrganization(directoryOnly);
    await deleteByOperator(server, { organizationId: deleted, graceMs: daysMs(30) });
    assert.deepEqual(problemOf(await deleteAs(server, limited)), forbidden);
    await restoreByOperator(server, { organizationId: deleted });
    const execute = (statement: string) =>
      server.database.write((transaction) => transaction.execute(statement));
    await execute(`insert into suspended_members (organization_id, user_id, role, created_at, suspended_at)
      select organization_id, user_id, role, created_at, created_at from members where organization_id = '${deleted}'`);
    await execute(`delete from members where organization_id = '${deleted}'`);
    assert.deepEqual(problemOf(await deleteAs(server, limited)), forbidden);
    await execute('delete from suspended_members');
    assert.equal((await deleteAs(server, await server.createSsoSession(directoryOnly, first))).status, 204);
  });

  test('leaves invitations of other organizations to the address, until they expire', async (context) => {
    const server = await startTestServer(context, engine);
    const { database, clock } = server;
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const eve = await server.createPerson('Eve');
    await invite(server, ada, organizationId, eve.email, 'viewer');
    assert.equal((await deleteAs(server, eve)).status, 204);
    const countOpen = async () => {
      const { body } = await server.call(`GET /api/organizations/${organizationId}/invitations`, { as: ada });
      return body.items.length;
    };
    await sweepInvitations(database, clock);
    assert.equal(await countOpen(), 1, 'anyone could have registered the address, to end them');
    server.advance(daysMs(7));
    await sweepInvitations(database, clock);
    const left = await database.all(
      prepare((db) => db.selectFrom('invitations').select('email')),
      {},
    );
    assert.deepEqual(left, []);
  });

  test('ends with the session, even while what the person owns is handed over', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId } = newsroom;
    const { eve } = await hireEve(newsroom);
    const { database } = server;
    const body = { email: eve.email, organizations: [{ organizationId, handOverTo: null }] };
    const end = `delete from sessions where user_id = '${eve.id}'`;
    const trigger = 'create trigger end_session after update on dashboards';
    // Stands for a change of the password meanwhile.
    await database.write(async (transaction) => {
      if (engine === 'SQLite') return transaction.execute(`${trigger} begin ${end}; end`);
      await transaction.execute(
        `create function end_session() returns trigger language plpgsql as $$begin ${end}; return null; end$$`,
      );
      return transaction.execute(`${trigger} execute function end_session()`);
    });
    const { status } = await server.call(`POST ${path}`, { as: eve, body });
    assert.equal(status, 401);
    assert.notEqual(await findAccountById(database, eve.id), undefined);
  });

  test('by the operator hands over where the other person is a member', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const { eve, dashboard } = await hireEve(newsroom);
    const words = ['user', 'delete', '--user', eve.email, '--hand-over-to', owner.email];
    const outcome = await runOn(server, words, { clock: server.clock });
    assert.deepEqual([outcome.exitCode, outcome.errorOutput], [0, '']);
    assert.match(outcome.output, /^deleted: eve\.\d+@example\.com, a member of “Organization”/);
    const permissions = await server.call(`GET /api/dashboards/${dashboard.id}/permissions`, { as: owner });
    assert.equal(permissions.body.isOwner, true);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit?action=account.deleted`, {
      as: owner,
    });
    assert.equal(audit.body.items[0].actorId, undefined);
    assert.equal((await runOn(server, words, { clock: server.clock })).exitCode, 2);
    const list = await runOn(server, ['user', 'list'], { clock: server.clock });
    assert.doesNotMatch(list.output, /eve|deleted/i);
    const last = await runOn(server, ['user', 'delete', '--user', owner.email], { clock: server.clock });
    assert.deepEqual([last.exitCode, /last owner of “Organization”/.test(last.errorOutput)], [1, true]);
  });
});
