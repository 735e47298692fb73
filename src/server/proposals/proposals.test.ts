import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from '../../../tests/support/dashboards/folders.ts';
import { startStudio } from '../../../tests/support/proposals/studio.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
  type TestResponse,
} from '../../../tests/support/server/test-server.ts';
import { AtriumError } from '../base/errors.ts';
import { reportsOnDashboards } from '../dashboards/uses.ts';
import { prepare } from '../storage/prepared-query.ts';
import { createProposal, sweepProposals } from './proposals.ts';
import { proposalTargets } from './targets.ts';

const stored = prepare((sql) => sql.selectFrom('proposals').selectAll().orderBy('id'));

const board = (name: string, widgets: object[] = []) => ({ name, widgets });
const summary = 'So that everyone sees it.';

describeOnUsualEngine('a proposal by a program', (engine) => {
  test('of a new dashboard changes nothing until its person accepts it', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, path, organizationId } = studio;
    const token = await studio.tokenOf(editor);
    const created = await studio.propose(token, { summary, dashboard: board('Proposed') });
    assert.equal(created.status, 201, created.text);
    const { id, recordId, createdAt, expiresAt, ...rest } = created.body;
    assert.deepEqual(rest, {
      organizationId,
      kind: 'dashboard',
      name: 'Proposed',
      summary,
      createdBy: { id: editor.id, name: 'Ed' },
      program: 'Agent',
      status: 'open',
      canDecide: true,
      dashboard: { name: 'Proposed', widgets: [] },
    });
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 30 * 86_400_000);
    assert.equal((await server.call(`GET /api/dashboards/${recordId}`, { as: editor })).status, 404);

    const accepted = await server.call(`POST ${path}/proposals/${id}/accept`, { as: editor });
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(accepted.body.decidedBy, { id: editor.id, name: 'Ed' });
    const dashboard = await server.call(`GET /api/dashboards/${recordId}`, { as: editor });
    assert.equal(dashboard.body.name, 'Proposed');
    assert.equal(dashboard.body.userId, editor.id);
    const versions = await server.call(`GET /api/dashboards/${recordId}/versions`, { as: editor });
    assert.deepEqual(
      versions.body.items.map(({ userId, change, proposedBy }: Record<string, unknown>) => ({
        userId,
        change,
        proposedBy,
      })),
      [{ userId: editor.id, change: 'created', proposedBy: 'Agent' }],
    );
    const version = await server.call(`GET /api/dashboards/${recordId}/versions/1`, { as: editor });
    assert.equal(version.body.proposedBy, 'Agent');
    const audit = await server.call(`GET ${path}/audit?action=proposal.accepted`, { as: studio.owner });
    assert.deepEqual(
      audit.body.items.map(({ actorId, details }: Record<string, unknown>) => ({ actorId, details })),
      [
        {
          actorId: editor.id,
          details: {
            proposalId: id,
            name: 'Proposed',
            dashboardId: recordId,
            proposedBy: editor.id,
            program: 'Agent',
          },
        },
      ],
    );
  });

  test('of a new report gets the ID that proposed dashboards can show beforehand', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, path } = studio;
    const token = await studio.tokenOf(editor);
    const report = await studio.propose(token, { summary, report: studio.report('Orders') });
    assert.equal(report.status, 201, report.text);
    const { recordId: reportId } = report.body;
    const shown = await studio.propose(token, { summary, dashboard: board('Board', [{ reportId }]) });
    assert.equal((await studio.accept(editor, shown)).status, 200);
    const results = () => server.call(`GET /api/dashboards/${shown.body.recordId}/results`, { as: editor });
    assert.equal(JSON.parse((await results()).text).problem.code, 'not_found');
    assert.equal((await studio.accept(editor, report)).status, 200);
    assert.equal(JSON.parse((await results()).text).reportName, 'Orders');
    const uses = await server.call(`GET /api/reports/${reportId}/dashboards`, { as: editor });
    assert.deepEqual(uses.body.items, [{ id: shown.body.recordId, name: 'Board' }]);
    assert.equal((await server.call(`GET ${path}/proposals`, { as: editor })).body.items.length, 0);
    const list = await server.call(`GET ${path}/proposals?status=accepted&record-id=${reportId}`, {
      as: editor,
    });
    assert.deepEqual(
      list.body.items.map(({ id }: { id: string }) => id),
      [report.body.id],
    );
  });

  test('is accepted into a folder, with its access from the first moment', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, owner, path, organizationId } = studio;
    const folders = foldersOf({ server, organizationId });
    const other = await server.createMember(organizationId, 'editor');
    const members = [{ userId: editor.id, access: 'edit' }];
    const secret = await folders.create(owner, 'Secret');
    assert.equal((await folders.share(owner, secret, { restricted: true, members })).status, 200);
    const elsewhere = await server.createOrganization(editor);
    const foreign = await foldersOf({ server, organizationId: elsewhere }).create(editor, 'Foreign');
    const token = await studio.tokenOf(editor);
    const accept = (as: Person, { body: { id } }: TestResponse, folderId: string) =>
      server.call(`POST ${path}/proposals/${id}/accept?folderId=${folderId}`, { as });
    const report = await studio.propose(token, { summary, report: studio.report('Layoffs') });
    const dashboard = await studio.propose(token, { summary, dashboard: board('Layoffs') });
    for (const [proposal, kind] of [
      [report, 'reports'],
      [dashboard, 'dashboards'],
    ] as const) {
      assert.deepEqual(problemOf(await accept(editor, proposal, foreign)), {
        status: 404,
        code: 'not_found',
      });
      const accepted = await accept(editor, proposal, secret);
      assert.equal(accepted.status, 200, accepted.text);
      const one = `/api/${kind}/${proposal.body.recordId}`;
      assert.equal((await server.call(`GET ${one}/permissions`, { as: editor })).body.folderId, secret);
      assert.equal((await server.call(`GET ${one}`, { as: other })).status, 404);
      const listed = await server.call(`GET /api/${kind}?organizationId=${organizationId}`, { as: other });
      assert.deepEqual(listed.body.items, []);
    }
    const shared = [{ userId: editor.id, access: 'view' }];
    await folders.share(owner, secret, { restricted: true, members: shared });
    const next = await studio.propose(token, { summary, dashboard: board('Next') });
    assert.deepEqual(problemOf(await accept(editor, next, secret)), { status: 403, code: 'forbidden' });
    const targetId = await studio.createDashboard('Board');
    const change = { summary, targetId, baseVersion: 1, dashboard: board('Changed') };
    const changed = await accept(editor, await studio.propose(token, change), foreign);
    assert.deepEqual(problemOf(changed), { status: 400, code: 'invalid_parameters' });
  });

  test('of a change is merged with what others saved since, field by field', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, owner, path } = studio;
    const reportId = await studio.createReport('Orders');
    const change = { ...studio.report('Orders'), description: 'By an agent', query: 'select 2 as n' };
    const token = await studio.tokenOf(editor);
    const proposal = await studio.propose(token, {
      summary,
      targetId: reportId,
      baseVersion: 1,
      report: change,
    });
    assert.equal(proposal.status, 201, proposal.text);
    const saved = await server.call(`PUT /api/reports/${reportId}`, {
      as: owner,
      body: studio.report('Renamed'),
      headers: { 'if-match': '"1"' },
    });
    assert.equal(saved.status, 200, saved.text);
    const review = await server.call(`GET ${path}/proposals/${proposal.body.id}/review`, { as: editor });
    assert.equal(review.status, 200, review.text);
    assert.equal(review.body.version, 2);
    assert.deepEqual(review.body.conflicts, []);
    assert.deepEqual([review.body.report.name, review.body.report.query], ['Renamed', 'select 2 as n']);
    assert.deepEqual(review.body.changes.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
      '/description',
      '/query',
    ]);
    assert.equal((await studio.accept(editor, proposal)).status, 200);
    const report = await server.call(`GET /api/reports/${reportId}`, { as: editor });
    assert.deepEqual([report.body.name, report.body.description], ['Renamed', 'By an agent']);
    const versions = await server.call(`GET /api/reports/${reportId}/versions`, { as: editor });
    assert.deepEqual(
      versions.body.items.map((version: Record<string, unknown>) => [
        version['change'],
        version['proposedBy'],
      ]),
      [
        ['merged', 'Agent'],
        ['saved', undefined],
        ['created', undefined],
      ],
    );
  });

  test('of a change that conflicts with what others saved is not accepted, and stays open', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, owner, path } = studio;
    const dashboardId = await studio.createDashboard('Board');
    const token = await studio.tokenOf(editor);
    const input = { summary, targetId: dashboardId, baseVersion: 1, dashboard: board('Mine') };
    const proposal = await studio.propose(token, input);
    await server.call(`PATCH /api/dashboards/${dashboardId}`, {
      as: owner,
      body: { name: 'Theirs' },
      headers: { 'if-match': '"1"' },
    });
    const review = await server.call(`GET ${path}/proposals/${proposal.body.id}/review`, { as: editor });
    assert.deepEqual(review.body.conflicts, [
      { pointer: '/name', base: 'Board', mine: 'Mine', theirs: 'Theirs' },
    ]);
    assert.deepEqual(review.body.dashboard, board('Mine'));
    assert.deepEqual(problemOf(await studio.accept(editor, proposal)), {
      status: 412,
      code: 'edit_conflict',
    });
    const after = await server.call(`GET ${path}/proposals/${proposal.body.id}`, { as: editor });
    assert.equal(after.body.status, 'open');
    assert.equal(
      (await server.call(`GET /api/dashboards/${dashboardId}`, { as: editor })).body.name,
      'Theirs',
    );
  });

  test('is accepted once, also by two people at the same time', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, owner, editor, organizationId } = studio;
    const agent = await studio.serviceAccount();
    const proposal = await studio.propose(agent, { summary, dashboard: board('Once') });
    const responses = await Promise.all(
      [owner, editor, owner, editor].map((as) => studio.accept(as, proposal)),
    );
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409, 409],
    );
    const boards = await server.call(`GET /api/dashboards?organizationId=${organizationId}`, { as: owner });
    assert.equal(boards.body.items.length, 1);
    const again = await studio.accept(editor, proposal);
    assert.deepEqual(problemOf(again), { status: 409, code: 'proposal_decided' });
    const withdrawn = await server.call(`DELETE ${studio.path}/proposals/${proposal.body.id}`, agent);
    assert.deepEqual(problemOf(withdrawn), { status: 409, code: 'proposal_decided' });
  });

  test('can be withdrawn or declined, and repeated with an idempotency key', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor, owner, path } = studio;
    const token = await studio.tokenOf(editor);
    const headers = { ...token.headers, 'idempotency-key': 'k' };
    const input = { summary, dashboard: board('Twice') };
    const [one, two] = [await studio.propose({ headers }, input), await studio.propose({ headers }, input)];
    assert.equal(one.status, 201, one.text);
    assert.deepEqual(two.body, one.body);
    assert.equal((await server.call(`DELETE ${path}/proposals/${one.body.id}`, token)).status, 204);
    assert.equal((await server.call(`GET ${path}/proposals/${one.body.id}`, token)).status, 404);
    const declined = await studio.propose(token, input);
    const response = await server.call(`POST ${path}/proposals/${declined.body.id}/decline`, { as: editor });
    assert.equal(response.body.status, 'declined');
    assert.deepEqual(problemOf(await studio.accept(editor, declined)), {
      status: 409,
      code: 'proposal_decided',
    });
    const list = await server.call(`GET ${path}/proposals?status=declined`, { as: editor });
    assert.equal(list.body.items.length, 1);
    const others = await server.call(`GET ${path}/proposals?status=declined`, { as: owner });
    assert.equal(others.body.items.length, 0, 'it was addressed to the editor');
  });

  test('that could not be saved is refused with every fault', async (context) => {
    const studio = await startStudio(context, engine);
    const token = await studio.tokenOf(studio.editor);
    const dashboardId = await studio.createDashboard('Board');
    const faultsOf = async (input: object) => {
      const response = await studio.propose(token, { summary, ...input });
      assert.equal(response.status, 400, response.text);
      return response.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    };
    const report = { ...studio.report('R'), query: 'select {{a}}', dataSourceId: 'unknown' };
    assert.deepEqual(await faultsOf({ report }), ['/report/dataSourceId unknown', '/report/query parameter']);
    assert.deepEqual(await faultsOf({}), [' oneOf']);
    assert.deepEqual(await faultsOf({ report: studio.report('R'), dashboard: board('D') }), [' oneOf']);
    assert.deepEqual(await faultsOf({ baseVersion: 1, dashboard: board('D') }), ['/baseVersion target']);
    const target = { targetId: dashboardId, dashboard: board('D') };
    assert.deepEqual(await faultsOf(target), ['/baseVersion required']);
    assert.deepEqual(await faultsOf({ ...target, baseVersion: 2 }), ['/baseVersion version']);
    const same = { targetId: dashboardId, baseVersion: 1, dashboard: board('Board') };
    assert.deepEqual(await faultsOf(same), ['/dashboard unchanged']);
    assert.deepEqual(await faultsOf({ summary: ' \n', dashboard: board('D') }), ['/summary minLength']);
    assert.deepEqual(await faultsOf({ summary: 'x'.repeat(2_001), dashboard: board('D') }), [
      '/summary maxLength',
    ]);
    const twice = { ...target, targetId: undefined, dashboard: board('', [{}]) };
    assert.deepEqual(await faultsOf(twice), [
      '/dashboard/name minLength',
      '/dashboard/widgets/0/reportId required',
    ]);
    assert.equal((await studio.server.database.all(stored, {})).length, 0);
  });

  test('can be made by another part of the server, by the same rules', async (context) => {
    const { server, editor, organizationId, dataSourceId } = await startStudio(context, engine);
    const { database, clock } = server;
    const dependencies = { database, clock, targets: proposalTargets(reportsOnDashboards(database)) };
    const credential = { kind: 'token', id: 'unknown', scopes: ['propose'] } as const;
    const actor = { userId: editor.id, credential, scope: { organizationId }, satisfiesSso: false };
    const report = { name: 'Orders', dataSourceId, query: 'select 1' };
    const created = await createProposal(dependencies, actor, { organizationId, summary, report });
    assert.deepEqual([created.kind, created.createdBy.id, created.status], ['report', editor.id, 'open']);
    const elsewhere = { ...actor, scope: { organizationId: 'other' } };
    await assert.rejects(
      createProposal(dependencies, elsewhere, { organizationId, summary, report }),
      (error: unknown) => error instanceof AtriumError && error.code === 'not_found',
    );
  });

  test('expires after 30 days', async (context) => {
    const studio = await startStudio(context, engine);
    const { server, editor } = studio;
    const proposal = await studio.propose({ as: editor }, { summary, dashboard: board('Late') });
    server.advance(30 * 86_400_000);
    const as = await server.createMember(studio.organizationId, 'owner');
    assert.equal((await studio.accept(as, proposal)).status, 404);
    assert.equal((await server.database.all(stored, {})).length, 1);
    await sweepProposals(server.database, server.clock);
    assert.equal((await server.database.all(stored, {})).length, 0);
  });

  test('is kept as text, whatever it contains', async (context) => {
    const studio = await startStudio(context, engine);
    const hostile = '<img src=x onerror=alert(1)> \u202e {{x}} ${7*7} [a](javascript:alert(1))';
    const input = {
      summary: hostile,
      dashboard: board(hostile, [{ reportId: 'r', config: { title: hostile } }]),
    };
    const { body } = await studio.propose(await studio.tokenOf(studio.editor), input);
    assert.equal(body.summary, hostile);
    assert.equal(body.dashboard.widgets[0].config.title, hostile);
    const polluted =
      '{"summary":"s","dashboard":{"name":"n","widgets":[{"reportId":"r","config":{"__proto__":{"a":1}}}]}}';
    const headers = { ...(await studio.tokenOf(studio.editor)).headers, 'content-type': 'application/json' };
    assert.equal(
      (await studio.server.call(`POST ${studio.path}/proposals`, { headers, body: polluted })).status,
      400,
    );
  });
});
