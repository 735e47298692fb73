import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createToken } from '../../../tests/support/credentials/tokens.ts';
import { startStudio } from '../../../tests/support/proposals/studio.ts';
import { describeOnUsualEngine, problemOf } from '../../../tests/support/server/test-server.ts';

const board = (name: string) => ({ name, widgets: [] });
const summary = 'Trust me.';

describeOnUsualEngine('an attack by a proposal', (engine) => {
  test('a program never decides, not even with every scope, nor proposes without the scope', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, path, organizationId } = studio;
    const scopes = ['read', 'propose', 'dashboards:write', 'reports:write', 'administer'] as const;
    const token = bearer(await createToken(server, owner, { organizationId, scopes: [...scopes] }));
    const { body } = await studio.propose(token, { summary, dashboard: board('Mine') });
    for (const line of ['POST accept', 'POST decline', 'GET review']) {
      const [method, what] = line.split(' ');
      const response = await server.call(`${method} ${path}/proposals/${body.id}/${what}`, token);
      assert.deepEqual(problemOf(response), { status: 403, code: 'insufficient_scope' }, line);
    }
    const writer = bearer(
      await createToken(server, owner, { organizationId, scopes: ['read', 'reports:write'] }),
    );
    const refused = await studio.propose(writer, { summary, dashboard: board('Mine') });
    assert.deepEqual(problemOf(refused), { status: 403, code: 'insufficient_scope' });
    assert.equal((await server.call(`GET ${path}/proposals/${body.id}`, { as: owner })).body.status, 'open');
  });

  test('the token of a person reads only the proposals of that person', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, owner, path } = studio;
    const agent = await studio.serviceAccount();
    const others = await studio.propose(agent, { summary, dashboard: board('Open to editors') });
    const token = await studio.tokenOf(owner);
    assert.equal((await server.call(`GET ${path}/proposals/${others.body.id}`, token)).status, 404);
    assert.deepEqual((await server.call(`GET ${path}/proposals`, token)).body.items, []);
    assert.equal((await server.call(`DELETE ${path}/proposals/${others.body.id}`, token)).status, 404);
    const own = await studio.propose(await studio.tokenOf(editor), { summary, dashboard: board('To Ed') });
    for (const line of ['GET', 'DELETE', 'GET review', 'POST accept', 'POST decline']) {
      const [method, what] = line.split(' ');
      const url = `${path}/proposals/${own.body.id}${what === undefined ? '' : `/${what}`}`;
      assert.equal((await server.call(`${method} ${url}`, { as: owner })).status, 404, line);
    }
  });

  test('the program of a viewer proposes to the editors, who decide with their own rights', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, path, organizationId } = studio;
    const viewer = await server.createMember(organizationId, 'viewer');
    const token = await studio.tokenOf(viewer);
    const dashboardId = await studio.createDashboard('Board');
    const target = { summary, targetId: dashboardId, dashboard: board('Changed') };
    const proposal = await studio.propose(token, { ...target, baseVersion: 1 });
    assert.equal(proposal.status, 201, proposal.text);
    assert.equal(proposal.body.canDecide, false);
    assert.deepEqual(problemOf(await studio.accept(viewer, proposal)), { status: 403, code: 'forbidden' });
    const noSource = await studio.propose(token, { summary, report: studio.report('R') });
    assert.equal(noSource.body.errors[0].pointer, '/report/dataSourceId');
    assert.equal((await studio.accept(editor, proposal)).status, 200);
    // The content of a past version is only for people who may edit.
    const stale = await studio.propose(token, { ...target, baseVersion: 1 });
    assert.equal(stale.body.errors[0].pointer, '/baseVersion');
    const list = await server.call(`GET ${path}/proposals?status=accepted`, { as: viewer });
    assert.equal(list.body.items[0].decidedBy.name, 'Ed');
  });

  test('a person who has lost the permission in the meantime can no longer accept', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, path } = studio;
    const dashboardId = await studio.createDashboard('Board');
    const token = await studio.tokenOf(editor);
    const change = { summary, targetId: dashboardId, baseVersion: 1, dashboard: board('Changed') };
    const [edit, create, report] = [
      await studio.propose(token, change),
      await studio.propose(token, { summary, dashboard: board('New') }),
      await studio.propose(token, { summary, report: studio.report('New') }),
    ];
    const restricted = { as: owner, body: { restricted: true, members: [] } };
    await server.call(`PUT /api/data-sources/${studio.dataSourceId}/access`, restricted);
    const unusable = await studio.accept(editor, report);
    assert.deepEqual(problemOf(unusable), {
      status: 400,
      code: 'invalid_body',
      faults: ['/dataSourceId unknown'],
    });
    await server.call(`PATCH ${path}/members/${editor.id}`, { as: owner, body: { role: 'viewer' } });
    for (const proposal of [edit, create])
      assert.deepEqual(problemOf(await studio.accept(editor, proposal)), { status: 403, code: 'forbidden' });
    await server.call(`PUT /api/dashboards/${dashboardId}/access`, restricted);
    assert.equal((await studio.accept(editor, edit)).status, 404);
    assert.equal((await server.call(`GET ${path}/proposals/${edit.body.id}`, token)).status, 404);
    assert.equal((await server.call(`GET /api/dashboards/${dashboardId}`, { as: owner })).body.name, 'Board');
  });

  test('reveals and changes nothing in another organization', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, path } = studio;
    const stranger = await server.createPerson('Eve');
    const other = await server.createOrganization(stranger);
    const token = bearer(await createToken(server, stranger, { organizationId: other, scopes: ['propose'] }));
    const dashboardId = await studio.createDashboard('Board');
    const change = { summary, targetId: dashboardId, baseVersion: 1, dashboard: board('Mine') };
    const post = (organizationId: string, body: object, caller: object = token) =>
      server.call(`POST /api/organizations/${organizationId}/proposals`, { ...caller, body });
    assert.equal((await post(studio.organizationId, change)).status, 404);
    assert.equal((await post(other, change)).status, 404);
    const withSource = await post(other, { summary, report: studio.report('R') });
    assert.equal(withSource.body.errors[0].pointer, '/report/dataSourceId');
    // A member of both can't use the one to address the other.
    await server.addMember(other, owner, 'owner');
    assert.equal((await post(other, change, { as: owner })).status, 404);
    const own = await studio.propose({ as: editor }, { summary, dashboard: board('Ours') });
    assert.equal((await server.call(`GET ${path}/proposals/${own.body.id}`, { as: stranger })).status, 404);
    const elsewhere = `/api/organizations/${other}/proposals/${own.body.id}`;
    for (const line of [`GET ${elsewhere}`, `POST ${elsewhere}/accept`, `DELETE ${elsewhere}`])
      assert.equal((await server.call(line, { as: owner })).status, 404, line);
  });

  test('on what was deleted is refused, and can be accepted once it is restored', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, path } = studio;
    const reportId = await studio.createReport('Orders');
    const change = { ...studio.report('Orders'), description: 'Changed' };
    const input = { summary, targetId: reportId, baseVersion: 1, report: change };
    const proposal = await studio.propose(await studio.tokenOf(editor), input);
    await server.call(`DELETE /api/reports/${reportId}`, { as: owner });
    const gone = { status: 409, code: 'proposal_target_deleted' };
    assert.deepEqual(problemOf(await studio.accept(editor, proposal)), gone);
    const review = `GET ${path}/proposals/${proposal.body.id}/review`;
    assert.deepEqual(problemOf(await server.call(review, { as: editor })), gone);
    assert.equal((await studio.propose(await studio.tokenOf(editor), input)).status, 404);
    await server.call(`POST /api/trash/reports/${reportId}/restore`, { as: owner });
    assert.equal((await studio.accept(editor, proposal)).status, 200);
    const again = await studio.propose(await studio.tokenOf(editor), {
      ...input,
      baseVersion: 2,
      report: studio.report('Other'),
    });
    await server.call(`DELETE /api/reports/${reportId}`, { as: owner });
    await server.call(`DELETE /api/trash/reports/${reportId}`, { as: owner });
    assert.equal((await studio.accept(editor, again)).status, 404);
  });

  test('shows nothing of what it created to people who may no longer view that', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, path } = studio;
    const agent = await studio.serviceAccount('editor');
    for (const [kind, content] of [
      ['report', studio.report('Salaries')],
      ['dashboard', board('Salaries')],
    ] as const) {
      const proposal = await studio.propose(agent, { summary, [kind]: content });
      assert.equal((await studio.accept(owner, proposal)).status, 200);
      const get = `GET ${path}/proposals/${proposal.body.id}`;
      assert.equal((await server.call(get, { as: editor })).status, 200);
      const access = `PUT /api/${kind}s/${proposal.body.recordId}/access`;
      await server.call(access, { as: owner, body: { restricted: true, members: [] } });
      assert.equal((await server.call(get, { as: editor })).status, 404, kind);
      assert.equal((await server.call(get, agent)).status, 404, kind);
      const list = await server.call(`GET ${path}/proposals?status=accepted`, { as: editor });
      assert.ok(!list.text.includes('Salaries'), kind);
      assert.equal((await server.call(get, { as: owner })).status, 200, kind);
    }
  });

  test('does not flood people, and goes away with its account', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, path } = studio;
    const token = await studio.tokenOf(editor);
    const propose = () => studio.propose(token, { summary, dashboard: board('Flood') });
    const responses = [];
    for (let count = 0; count < 60; count += 10)
      responses.push(...(await Promise.all(Array.from({ length: 10 }, propose))));
    const statuses = responses.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 50);
    assert.equal(statuses.filter((status) => status === 409).length, 10);
    const { body } = await server.call(`GET ${path}/proposals?limit=20`, { as: editor });
    assert.equal(body.items.length, 20);
    const next = await server.call(`GET ${path}/proposals?limit=200&cursor=${body.nextCursor}`, {
      as: editor,
    });
    assert.equal(next.body.items.length, 30);
    await server.call(`DELETE ${path}/members/${editor.id}`, { as: owner });
    await server.addMember(studio.organizationId, editor, 'owner');
    assert.deepEqual((await server.call(`GET ${path}/proposals`, { as: editor })).body.items, []);
  });

  test('cannot choose the ID, the owner or the state of what it creates', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor } = studio;
    const reportId = await studio.createReport('Orders');
    const extra = {
      id: reportId,
      recordId: reportId,
      userId: owner.id,
      status: 'accepted',
      addresseeId: owner.id,
    };
    const [token, report] = [await studio.tokenOf(editor), studio.report('New')];
    const refused = await studio.propose(token, { summary, ...extra, report: { ...report, ...extra } });
    const names = Object.keys(extra);
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
      ['', '/report'].flatMap((parent) => names.map((name) => `${parent}/${name}`)).toSorted(),
    );
    const proposal = await studio.propose(token, { summary, report });
    assert.equal(proposal.body.status, 'open');
    assert.notEqual(proposal.body.recordId, reportId);
    assert.deepEqual(Object.keys(proposal.body.report).toSorted(), [
      'cacheSeconds',
      'dataSourceId',
      'name',
      'parameters',
      'query',
      'visualization',
    ]);
    assert.equal((await studio.accept(editor, proposal)).status, 200);
    const created = await server.call(`GET /api/reports/${proposal.body.recordId}`, { as: owner });
    assert.equal(created.body.userId, editor.id);
    assert.equal((await server.call(`GET /api/reports/${reportId}`, { as: owner })).body.name, 'Orders');
  });
});
