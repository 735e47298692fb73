import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMcpOffice, type McpOffice } from '../../../tests/support/mcp/office.ts';
import { openNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine, type Person } from '../../../tests/support/server/test-server.ts';

const unknownId = '01a214e6-5252-7000-a1f4-c8fb2254ae28';

/** The calls that name a record, by the kind of record. */
const calls: readonly (readonly [
  tool: string,
  of: 'report' | 'dashboard' | 'source',
  input: (id: string) => object,
])[] = [
  ['read_report', 'report', (reportId) => ({ reportId })],
  ['run_report', 'report', (reportId) => ({ reportId })],
  ['explain_failed_query', 'report', (reportId) => ({ reportId })],
  ['list_parameter_values', 'report', (reportId) => ({ reportId, parameter: 'region' })],
  ['read_dashboard', 'dashboard', (dashboardId) => ({ dashboardId })],
  ['describe_data_source', 'source', (dataSourceId) => ({ dataSourceId })],
  ['describe_table', 'source', (dataSourceId) => ({ dataSourceId, table: 'sales' })],
  [
    'propose_report',
    'report',
    (reportId) => ({ summary: 'x', reportId, baseVersion: 1, report: { name: 'y' } }),
  ],
  [
    'propose_dashboard_edit',
    'dashboard',
    (dashboardId) => ({ summary: 'x', dashboardId, baseVersion: 1, name: 'y' }),
  ],
  ['run_query', 'source', (dataSourceId) => ({ dataSourceId, query: 'SELECT * FROM sales' })],
];

const parameters = [{ name: 'region', type: 'text' as const, allowed: { values: ['north'] } }];

/** Creates a report and a dashboard of an organization with names that nobody else may see. */
async function fill({
  save,
  server,
  owner,
  organizationId,
  id,
}: Pick<McpOffice, 'save' | 'server' | 'owner' | 'organizationId' | 'id'>) {
  const report = await save({ name: 'Canary report', query: 'SELECT region FROM sales', parameters });
  const { body: dashboard } = await server.call('POST /api/dashboards', {
    as: owner,
    body: { name: 'Canary board', organizationId, widgets: [{ reportId: report.id }] },
  });
  return { report: report.id, dashboard: String(dashboard.id), source: id };
}

/** Calls every tool about the records, and returns the texts that the model gets, without what the caller has sent. */
async function askAbout(
  office: McpOffice,
  ids: Record<'report' | 'dashboard' | 'source', string>,
  as?: Person,
) {
  const answers: Record<string, string> = {};
  for (const [tool, of, input] of calls) {
    const { text } = await office.tool(tool, { ...input(ids[of]) }, as);
    answers[tool] = text.replaceAll(ids[of], 'ID');
  }
  return answers;
}

describeOnUsualEngine('the tools of MCP', (engine) => {
  test('report the same for what another organization has as for what never existed', async (context) => {
    const office = await startMcpOffice(context, engine);
    await fill(office);
    const theirs = await fill(await openNewsroom(office.server));
    const unknown = { report: unknownId, dashboard: unknownId, source: unknownId };
    const answers = await askAbout(office, theirs);
    assert.deepEqual(answers, await askAbout(office, unknown));
    for (const [tool, text] of Object.entries(answers))
      assert.match(text, /"problem":\{"code":"(not_found|invalid_body)"/, tool);
    const { items } = (await office.tool('search', { limit: 50 })).data;
    const foreign = new Set(Object.values(theirs));
    assert.deepEqual(
      items.filter(({ id }: { id: string }) => foreign.has(id)),
      [],
    );
    const { data } = await office.tool('list_data_sources');
    assert.deepEqual(
      data.items.map(({ id }: { id: string }) => id),
      [office.id],
    );
  });

  test('show personal dashboards to nobody, since a token is for an organization', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner } = office;
    const { body } = await server.call('POST /api/dashboards', { as: owner, body: { name: 'Mine' } });
    assert.equal((await office.tool('read_dashboard', { dashboardId: body.id })).problem.code, 'not_found');
    assert.deepEqual((await office.tool('search', { words: 'mine' })).data.items, []);
  });

  test('show restricted records only to the people who may see them', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId } = office;
    const mine = await fill(office);
    const editor = await server.createMember(organizationId, 'editor');
    for (const [kind, id] of [
      ['reports', mine.report],
      ['dashboards', mine.dashboard],
      ['data-sources', mine.source],
    ] as const) {
      const body = { restricted: true, members: [] };
      const response = await server.call(`PUT /api/${kind}/${id}/access`, { as: owner, body });
      assert.equal(response.status, 200, response.text);
    }
    const unknown = { report: unknownId, dashboard: unknownId, source: unknownId };
    assert.deepEqual(await askAbout(office, mine, editor), await askAbout(office, unknown, editor));
    assert.deepEqual((await office.tool('search', {}, editor)).data, { items: [] });
    assert.deepEqual((await office.tool('list_data_sources', {}, editor)).data, { items: [] });
    const own = await askAbout(office, mine);
    for (const [tool, text] of Object.entries(own)) assert.ok(!text.includes('not_found'), tool);
  });

  test('let a viewer run reports, but not query or describe their data source', async (context) => {
    const office = await startMcpOffice(context, engine);
    const viewer = await office.server.createMember(office.organizationId, 'viewer');
    const { report, source } = await fill(office);
    const run = await office.tool(
      'run_report',
      { reportId: report, parameters: { region: 'north' } },
      viewer,
    );
    assert.equal(run.data.rowCount, 4);
    for (const [tool, of, input] of calls) {
      if (of !== 'source') continue;
      assert.equal((await office.tool(tool, { ...input(source) }, viewer)).problem.code, 'forbidden', tool);
    }
  });

  test('end with the membership of the person', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId } = office;
    const member = await server.createMember(organizationId, 'editor');
    assert.ok((await office.tool('search', {}, member)).data);
    await server.call(`DELETE /api/organizations/${organizationId}/members/${member.id}`, { as: owner });
    await assert.rejects(office.tool('search', {}, member));
  });
});
