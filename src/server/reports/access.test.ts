import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
  type TestResponse,
} from '../../../tests/support/server/test-server.ts';

const notFound = { status: 404, code: 'not_found' };
const forbidden = { status: 403, code: 'forbidden' };

interface Named {
  readonly userId: string;
  readonly access: 'view' | 'edit';
}

async function restrict(
  { server, owner }: Newsroom,
  id: string,
  members: readonly Named[] = [],
): Promise<void> {
  const body = { restricted: true, members };
  const response = await server.call(`PUT /api/reports/${id}/access`, { as: owner, body });
  assert.equal(response.status, 200, response.text);
}

/** Returns the lines of a dashboard's results. */
async function results({ server }: Newsroom, id: string, as: Person): Promise<TestResponse['body'][]> {
  const { text } = await server.call(`GET /api/dashboards/${id}/results`, { as });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describeOnUsualEngine('a report that is restricted', (engine) => {
  test('is listed, counted and exported only for the people who may see it', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, id: sourceId } = newsroom;
    const [named, editor, viewer] = [
      await server.createMember(organizationId, 'viewer'),
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const [secret, open] = [
      await newsroom.save({ name: 'Payroll', query: 'SELECT region FROM sales' }),
      await newsroom.save({ name: 'Open', query: 'SELECT region FROM sales' }),
    ];
    const { body: board } = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId, widgets: [{ reportId: secret.id }, { reportId: open.id }] },
    });
    await restrict(newsroom, secret.id, [{ userId: named.id, access: 'view' }]);

    const seen: Record<string, unknown> = {};
    for (const [who, as] of Object.entries({ owner, named, editor, viewer })) {
      const names = async (path: string) =>
        (await server.call(`GET /api/${path}`, { as })).body.items.map(
          ({ name }: Named & { name: string }) => name,
        );
      const uses = (await server.call(`GET /api/data-sources/${sourceId}/uses`, { as })).body;
      const usesOfTable = (await server.call(`GET /api/data-sources/${sourceId}/uses?table=sales`, { as }))
        .body;
      const exported = (
        await server.call(`GET /api/organizations/${organizationId}/dashboards/export`, { as })
      ).text;
      seen[who] = {
        listed: await names(`reports?organizationId=${organizationId}`),
        found: await names(`reports?organizationId=${organizationId}&q=payr`),
        ofSource: await names(`reports?organizationId=${organizationId}&dataSourceId=${sourceId}`),
        uses: [uses.items.length, uses.totalCount],
        usesOfTable: [usesOfTable.items.length, usesOfTable.totalCount],
        exported: exported.includes('Payroll'),
        shown: (await results(newsroom, board.id, as)).map(
          ({ reportName, problem }) => problem?.code ?? reportName,
        ),
      };
    }
    const all = {
      listed: ['Open', 'Payroll'],
      found: ['Payroll'],
      ofSource: ['Open', 'Payroll'],
      uses: [2, 2],
      usesOfTable: [2, 2],
      exported: true,
      shown: ['Payroll', 'Open'],
    };
    const some = {
      listed: ['Open'],
      found: [],
      ofSource: ['Open'],
      // Editors may delete the tables, so they get the count of all reports that would break.
      uses: [1, 2],
      usesOfTable: [1, 2],
      exported: false,
      shown: ['not_found', 'Open'],
    };
    assert.deepEqual(seen, {
      owner: all,
      named: all,
      editor: some,
      viewer: { ...some, uses: [1, 1], usesOfTable: [1, 1] },
    });
  });

  test('is not revealed by what its dashboards are found by, nor by its name after it was deleted', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const viewer = await server.createMember(organizationId, 'viewer');
    const report = await newsroom.save({ name: 'Payroll' });
    const { body: board } = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId, widgets: [{ reportId: report.id }] },
    });
    const search = async () =>
      (await server.call(`GET /api/dashboards?organizationId=${organizationId}&q=payr`, { as: viewer })).body
        .items.length;
    const shown = async (as: Person) => {
      const [line] = await results(newsroom, board.id, as);
      return [line?.problem.code, line?.reportName];
    };
    assert.equal(await search(), 1);
    await restrict(newsroom, report.id);
    assert.equal(await search(), 0);
    // Removing the report from the search is not undone by a change of the dashboard.
    await server.call(`PATCH /api/dashboards/${board.id}`, {
      as: owner,
      body: { name: 'Board 2' },
      headers: { 'if-match': '*' },
    });
    assert.equal(await search(), 0);
    await server.call(`DELETE /api/reports/${report.id}?force=true`, { as: owner });
    assert.deepEqual(
      [await shown(viewer), await shown(owner)],
      [
        ['not_found', undefined],
        ['report_deleted', 'Payroll'],
      ],
    );
    await server.call(`DELETE /api/trash/reports/${report.id}`, { as: owner });
    assert.deepEqual(
      [await shown(viewer), await shown(owner)],
      [
        ['not_found', undefined],
        ['report_deleted', 'Payroll'],
      ],
    );
  });

  test('can be edited by a viewer that it is shared with, who can’t share or create reports', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId, id: dataSourceId } = newsroom;
    const viewer = await server.createMember(organizationId, 'viewer');
    const report = await newsroom.save({ name: 'Payroll' });
    await restrict(newsroom, report.id, [{ userId: viewer.id, access: 'edit' }]);
    const path = `/api/reports/${report.id}`;
    const body = { name: 'Payroll 2', dataSourceId, query: 'SELECT 1' };
    const headers = { 'if-match': '*' };
    const call = (line: string, more: object = {}) => server.call(line, { as: viewer, ...more });
    assert.equal((await call(`PUT ${path}`, { body, headers })).body.name, 'Payroll 2');
    assert.deepEqual((await call(`GET ${path}/permissions`)).body, {
      access: 'edit',
      isOwner: false,
      restricted: true,
    });
    assert.equal((await call(`GET ${path}/access`)).status, 200);
    const refused = [
      await call(`PUT ${path}/access`, { body: { restricted: false, members: [] } }),
      await call(`POST ${path}/transfer`, { body: { userId: viewer.id } }),
      await call('POST /api/reports', { body: { ...body, organizationId } }),
    ];
    assert.deepEqual(refused.map(problemOf), [forbidden, forbidden, forbidden]);
    // Writing a query requires permission to query the data source, which viewers don't have.
    const other = { ...body, query: 'SELECT * FROM sales' };
    assert.deepEqual(problemOf(await call(`PUT ${path}`, { body: other, headers })), {
      status: 400,
      code: 'invalid_body',
      faults: ['/dataSourceId unknown'],
    });
    assert.equal((await call(`DELETE ${path}`)).status, 204);
    assert.deepEqual(problemOf(await call(`DELETE /api/trash/reports/${report.id}`)), forbidden);
    assert.equal((await call(`POST /api/trash/reports/${report.id}/restore`)).status, 200);
  });

  test('is not changed by an import of people who may not edit it', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const editor = await server.createMember(organizationId, 'editor');
    const secret = await newsroom.save({ name: 'Payroll' });
    await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId, widgets: [{ reportId: secret.id }] },
    });
    const path = `/api/organizations/${organizationId}/dashboards`;
    const { text } = await server.call(`GET ${path}/export`, { as: owner });
    const documents = text
      .trim()
      .split('\n')
      .map((line) => ({ ...(JSON.parse(line) as object), name: 'Mine now' }));
    await restrict(newsroom, secret.id);
    for (const query of ['', '?dryRun=true']) {
      const refused = await server.call(`POST ${path}/import${query}`, { as: editor, body: { documents } });
      assert.deepEqual(problemOf(refused), { ...forbidden, faults: ['/documents/0 forbidden'] });
      assert.doesNotMatch(refused.text, /Payroll/);
    }
    assert.equal((await server.call(`GET /api/reports/${secret.id}`, { as: owner })).body.name, 'Payroll');
  });

  test('becomes another editor’s with a transfer, as a new version', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const editor = await server.createMember(organizationId, 'editor');
    const report = await newsroom.save({ name: 'Payroll' });
    await restrict(newsroom, report.id);
    const path = `/api/reports/${report.id}`;
    assert.deepEqual(problemOf(await server.call(`GET ${path}`, { as: editor })), notFound);
    const transferred = await server.call(`POST ${path}/transfer`, {
      as: owner,
      body: { userId: editor.id },
    });
    assert.deepEqual(
      [transferred.status, transferred.body.userId, transferred.headers['etag']],
      [200, editor.id, '"2"'],
    );
    const { body: history } = await server.call(`GET ${path}/versions`, { as: editor });
    assert.deepEqual(
      history.items.map(({ change }: { change: string }) => change),
      ['transferred', 'created'],
    );
    const body = { restricted: false, members: [] };
    assert.equal((await server.call(`PUT ${path}/access`, { as: editor, body })).status, 200);
    const { body: log } = await server.call(`GET /api/organizations/${organizationId}/audit?limit=10`, {
      as: owner,
    });
    assert.deepEqual(
      log.items
        .map(({ action }: { action: string }) => action)
        .filter((action: string) => action.startsWith('report.')),
      ['report.access_changed', 'report.transferred', 'report.access_changed'],
    );
  });
});
