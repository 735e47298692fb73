import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '../../../../tests/support/credentials/tokens.ts';
import { callMessage, saveBoard, startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

const summary = 'Because the month was missing';

describeOnUsualEngine('the proposals of MCP', (engine) => {
  test('of reports change nothing until a person accepts them', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner: as, organizationId, id: dataSourceId, tool } = office;
    const path = `/api/organizations/${organizationId}/proposals`;
    const report = {
      name: 'Months',
      dataSourceId,
      query: 'SELECT count(*) AS n FROM sales',
      description: 'New',
    };
    const { proposal } = (await tool('propose_report', { summary, report })).data;
    assert.deepEqual(proposal, {
      id: proposal.id,
      kind: 'report',
      recordId: proposal.recordId,
      name: 'Months',
      status: 'open',
      expiresAt: '2026-12-21T09:00:00.000Z',
      url: `http://localhost:3000/organizations/${organizationId}/proposals/${proposal.id}`,
    });
    const read = () => server.call(`GET /api/reports/${proposal.recordId}`, { as });
    assert.equal((await read()).status, 404);
    const { body: shown } = await server.call(`GET ${path}/${proposal.id}`, { as });
    assert.deepEqual([shown.summary, shown.program], [summary, 'Script']);
    assert.equal((await server.call(`POST ${path}/${proposal.id}/accept`, { as })).status, 200);
    assert.equal((await read()).body.name, 'Months');

    // A change has what it doesn't name from the report.
    const change = { summary, reportId: proposal.recordId, baseVersion: 1, report: { name: 'By month' } };
    const changed = (await tool('propose_report', change)).data.proposal;
    assert.equal(changed.recordId, proposal.recordId);
    assert.equal((await read()).body.name, 'Months');
    assert.equal((await server.call(`POST ${path}/${changed.id}/accept`, { as })).status, 200);
    const { name, query, description } = (await read()).body;
    assert.deepEqual([name, query, description], ['By month', report.query, 'New']);
    const late = (await tool('propose_report', { ...change, report: { name: 'Again' } })).problem;
    assert.deepEqual(
      late.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [['/baseVersion', 'version']],
    );
  });

  test('of reports name every fault', async (context) => {
    const { tool, id: dataSourceId } = await startMcpOffice(context, engine);
    const faultsOf = async (input: object) =>
      (await tool('propose_report', { summary, ...input })).problem.errors.map(
        ({ pointer, code }: Record<string, string>) => `${pointer} ${code}`,
      );
    assert.deepEqual(await faultsOf({ report: {} }), [
      '/report/name required',
      '/report/dataSourceId required',
      '/report/query required',
    ]);
    const report = { name: 'x', dataSourceId, query: 'SELECT {{nothing}}' };
    assert.deepEqual(await faultsOf({ report }), ['/report/query parameter']);
    assert.deepEqual(await faultsOf({ report: { ...report, id: 'x', query: 1 } }), [
      '/report/query type',
      '/report/id unknown',
    ]);
    const chart = { kind: 'bar', unknown: [] };
    assert.ok((await faultsOf({ report: { ...report, visualization: chart } })).length > 0);
    const foreign = { ...report, query: 'SELECT 1', dataSourceId: '01a214e6-5252-7000-a1f4-c8fb2254ae28' };
    assert.deepEqual(await faultsOf({ report: foreign }), ['/report/dataSourceId unknown']);
  });

  test('of dashboards keep the widgets that they don’t name', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner: as, organizationId, tool } = office;
    const report = await office.save({ query: 'SELECT 1' });
    const at = (y: number) => ({ x: 0, y, w: 4, h: 2 });
    const filters = [{ name: 'region', kind: 'text' }];
    const dashboardId = await saveBoard(office, [
      { reportId: 'builtin:filters', layout: at(0), config: { filters } },
      { reportId: report.id, layout: at(0), config: { title: 'Old', more: [1] } },
      { reportId: report.id, layout: at(2) },
    ]);
    const get = async () => (await server.call(`GET /api/dashboards/${dashboardId}`, { as })).body;
    const before = await get();
    const [, first, second] = before.widgets;
    const input = {
      summary,
      dashboardId,
      baseVersion: 1,
      change: [{ id: first.id, title: 'New' }],
      remove: [second.id],
      add: [{ reportId: 'builtin:text', title: 'Note', config: { text: 'Hello' } }],
    };
    const { proposal } = (await tool('propose_dashboard_edit', input)).data;
    assert.deepEqual(await get(), before);
    const path = `/api/organizations/${organizationId}/proposals/${proposal.id}`;
    assert.equal((await server.call(`POST ${path}/accept`, { as })).status, 200);
    const { name, description, widgets } = await get();
    assert.deepEqual([name, description], ['Board', 'For the desk']);
    assert.deepEqual(
      widgets.map(({ reportId, config }: { reportId: string; config: object }) => [reportId, config]),
      [
        ['builtin:filters', { filters }],
        [report.id, { title: 'New', more: [1] }],
        ['builtin:text', { title: 'Note', text: 'Hello' }],
      ],
    );
    const gone = await tool('propose_dashboard_edit', {
      ...input,
      baseVersion: 2,
      change: [{ id: second.id }],
    });
    assert.deepEqual(
      gone.problem.errors.map(({ pointer }: Record<string, string>) => pointer),
      ['/change/0/id', '/remove/0'],
    );
    const unnamed = await tool('propose_dashboard_edit', { summary });
    assert.deepEqual(
      unnamed.problem.errors.map(({ pointer }: Record<string, string>) => pointer),
      ['/name'],
    );
  });

  test('need their scope, and no token can accept one', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId, id: dataSourceId, post } = office;
    const { token } = await createToken(server, owner, { organizationId, scopes: ['read'] });
    const report = { name: 'x', dataSourceId, query: 'SELECT 1' };
    const authorization = `Bearer ${token}`;
    const refused = await post(callMessage('propose_report', { summary, report }), { authorization });
    assert.equal(refused.status, 403);
    assert.match(
      refused.headers.get('www-authenticate') ?? '',
      /error="insufficient_scope", scope="propose"/,
    );
    const { proposal } = (await office.tool('propose_report', { summary, report })).data;
    const all = await createToken(server, owner, {
      organizationId,
      scopes: ['read', 'propose', 'dashboards:write', 'reports:write', 'administer'],
    });
    const path = `/api/organizations/${organizationId}/proposals/${proposal.id}/accept`;
    const accepted = await server.call(`POST ${path}`, { headers: { authorization: `Bearer ${all.token}` } });
    assert.equal(accepted.body.code, 'insufficient_scope');
  });
});
