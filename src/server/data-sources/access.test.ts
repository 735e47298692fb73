import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
  type TestResponse,
} from '../../../tests/support/server/test-server.ts';

const forbidden = { status: 403, code: 'forbidden' };
const notFound = { status: 404, code: 'not_found' };
const notUsable = { status: 400, code: 'invalid_body', faults: ['/dataSourceId unknown'] };
const headers = { 'if-match': '*' };

interface Named {
  readonly userId: string;
  readonly access: 'view' | 'use' | 'edit';
}

async function restrict({ server, owner, id }: Newsroom, members: readonly Named[] = []): Promise<void> {
  const body = { restricted: true, members };
  const response = await server.call(`PUT /api/data-sources/${id}/access`, { as: owner, body });
  assert.equal(response.status, 200, response.text);
}

/** Returns the status of what people do with a data source, by what they do. */
async function statuses({ server, organizationId, id }: Newsroom, as: Person, reportId: string) {
  const call = (line: string, body?: object) => server.call(line, { as, ...(body && { body, headers }) });
  const query = { dataSourceId: id, query: 'SELECT * FROM sales' };
  const target = { dataSourceId: id, table: 'sales' };
  const done: Record<string, TestResponse> = {
    see: await call(`GET /api/data-sources/${id}`),
    run: await call(`POST /api/reports/${reportId}/run`, {}),
    exploreReport: await call('POST /api/explore/rows', { target: { reportId }, selections: [] }),
    rename: await call(`PUT /api/reports/${reportId}`, {
      name: `N ${as.id}`,
      dataSourceId: id,
      query: 'SELECT region FROM sales',
    }),
    browse: await call(`GET /api/data-sources/${id}/tables`),
    look: await call(`GET /api/data-sources/${id}/tables/sales/preview`),
    describe: await call(`GET /api/data-sources/${id}/models`),
    explore: await call('POST /api/explore/rows', { target, selections: [] }),
    preview: await call('POST /api/reports/preview', { ...query, organizationId }),
    write: await call('POST /api/reports', { ...query, organizationId, name: 'New' }),
    change: await call(`PUT /api/reports/${reportId}`, { ...query, name: `N ${as.id}` }),
    manage: await call(`PUT /api/data-sources/${id}`, { name: 'Files', kind: 'files' }),
    share: await call(`PUT /api/data-sources/${id}/access`, { restricted: true, members: [] }),
  };
  return Object.fromEntries(Object.entries(done).map(([what, { status }]) => [what, status]));
}

const reportsOnly = { run: 200, exploreReport: 200, rename: 200 };

describeOnUsualEngine('a data source that is restricted', (engine) => {
  test('is seen, queried, changed and shared as its shares and the roles say, and its reports run for everyone', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId } = newsroom;
    const report = await newsroom.save({ name: 'Regions', query: 'SELECT region FROM sales' });
    const levels = ['none', 'view', 'use', 'edit'] as const;
    const people = await Promise.all(levels.map(() => server.createMember(organizationId, 'editor')));
    const seen: Record<string, unknown> = {};
    for (const [index, level] of levels.entries()) {
      const person = people[index] as Person;
      await restrict(newsroom, level === 'none' ? [] : [{ userId: person.id, access: level }]);
      seen[level] = await statuses(newsroom, person, report.id);
      await newsroom.server.call(`PUT /api/reports/${report.id}`, {
        as: newsroom.owner,
        headers,
        body: { name: 'Regions', dataSourceId: newsroom.id, query: 'SELECT region FROM sales' },
      });
    }
    const none = {
      see: 404,
      browse: 404,
      look: 404,
      describe: 404,
      explore: 404,
      preview: 400,
      write: 400,
      change: 400,
      manage: 404,
      share: 404,
    };
    const view = {
      ...none,
      see: 200,
      browse: 403,
      look: 403,
      describe: 403,
      explore: 403,
      manage: 403,
      share: 403,
    };
    const use = {
      ...view,
      browse: 200,
      look: 200,
      describe: 200,
      explore: 200,
      preview: 200,
      write: 201,
      change: 200,
    };
    assert.deepEqual(seen, {
      none: { ...reportsOnly, ...none },
      view: { ...reportsOnly, ...view },
      use: { ...reportsOnly, ...use },
      edit: { ...reportsOnly, ...use, manage: 200 },
    });
  });

  test('is not reached through reports: not with their history, import, drill-down or export', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, id } = newsroom;
    const eve = await server.createMember(organizationId, 'editor');
    const call = (line: string, body?: object) =>
      server.call(line, { as: eve, ...(body && { body, headers }) });
    const report = await newsroom.save({ name: 'Regions', query: 'SELECT * FROM sales' });
    const content = { name: 'Regions', dataSourceId: id, query: 'SELECT region FROM sales' };
    await server.call(`PUT /api/reports/${report.id}`, { as: owner, body: content, headers });
    await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId, widgets: [{ reportId: report.id }] },
    });
    const path = `/api/organizations/${organizationId}/dashboards`;
    const { text } = await server.call(`GET ${path}/export`, { as: owner });
    const documents = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    await restrict(newsroom);
    assert.deepEqual(problemOf(await call(`POST /api/reports/${report.id}/versions/1/restore`)), notUsable);
    const parameters = [{ name: 'p', type: 'text', allowed: { query: 'SELECT amount FROM sales' } }];
    for (const change of [
      { parameters },
      { drill: { rows: 'everyone' } },
      { query: 'SELECT region, amount FROM sales' },
    ]) {
      assert.deepEqual(
        problemOf(await call(`PUT /api/reports/${report.id}`, { ...content, ...change })),
        notUsable,
      );
    }
    // What was written for one source may not be pointed at another.
    const { body: mine } = await call(`POST /api/organizations/${organizationId}/data-sources`, {
      name: 'Mine',
      kind: 'files',
    });
    const { body: own } = await call('POST /api/reports', {
      ...content,
      organizationId,
      dataSourceId: mine.id,
    });
    assert.deepEqual(problemOf(await call(`PUT /api/reports/${own.id}`, content)), notUsable);
    assert.equal((await call(`GET ${path}/export`)).text.includes('"Files"'), false);
    const renamed = documents.map((document) => ({ ...document, name: 'Mine now' }));
    for (const query of ['', '?dryRun=true']) {
      const refused = problemOf(await call(`POST ${path}/import${query}`, { documents: renamed }));
      assert.deepEqual(refused, {
        status: 400,
        code: 'invalid_body',
        faults: ['/documents/0/dataSource unknown'],
      });
    }
    const drill = await call(`POST /api/reports/${report.id}/drill`, { marks: [] });
    assert.ok([400, 403].includes(drill.status), drill.text);
    assert.equal((await call(`POST /api/reports/${report.id}/run`, {})).status, 200);
  });

  test('is not listed, nor named in a message, and neither are its tables in the trash', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId, id } = newsroom;
    const eve = await server.createMember(organizationId, 'editor');
    const report = await newsroom.save({ query: 'SELECT 1' });
    await restrict(newsroom);
    const names = async (as: Person, path: string) =>
      (await server.call(`GET /api/organizations/${organizationId}/${path}`, { as })).body.items.length;
    const seen = async (path: string) => [await names(owner, path), await names(eve, path)];
    assert.deepEqual(await seen('data-sources'), [1, 0]);
    assert.equal(
      (await server.call(`DELETE /api/data-sources/${id}/tables/sales`, { as: owner })).status,
      204,
    );
    assert.deepEqual(await seen('trash/tables'), [1, 0]);
    assert.equal((await server.call(`DELETE /api/data-sources/${id}?force=true`, { as: owner })).status, 204);
    assert.deepEqual(await seen('trash/data-sources'), [1, 0]);
    const { body } = await server.call(`POST /api/reports/${report.id}/run`, { as: eve, body: {} });
    assert.equal(
      body.detail,
      'The data source of this report is in the trash. Restore it to run this report.',
    );
    for (const line of ['POST', 'DELETE'].map((method) => `${method} /api/trash/data-sources/${id}`)) {
      const request = line.startsWith('POST') ? `${line}/restore` : line;
      assert.deepEqual(problemOf(await server.call(request, { as: eve })), notFound);
    }
    assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as: owner })).status, 204);
  });

  test('is shared by its owner, and can be used by a viewer, who can’t write reports', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const [author, viewer] = [
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
      as: author,
      body: { name: 'Mine', kind: 'files' },
    });
    const path = `/api/data-sources/${source.id}`;
    const permissions = async (as: Person) => (await server.call(`GET ${path}/permissions`, { as })).body;
    assert.deepEqual(await permissions(author), { access: 'manage', isOwner: true, restricted: false });
    assert.deepEqual(await permissions(viewer), { access: 'view', isOwner: false, restricted: false });
    const body = { restricted: true, members: [{ userId: viewer.id, access: 'use' }] };
    const shared = await server.call(`PUT ${path}/access`, { as: author, body });
    assert.deepEqual([shared.status, shared.body.members[0]?.access], [200, 'use']);
    assert.deepEqual(await permissions(viewer), { access: 'use', isOwner: false, restricted: true });
    assert.equal((await server.call(`GET ${path}/tables`, { as: viewer })).status, 200);
    const report = { organizationId, name: 'R', dataSourceId: source.id, query: 'SELECT 1' };
    assert.deepEqual(
      problemOf(await server.call('POST /api/reports', { as: viewer, body: report })),
      forbidden,
    );
    assert.deepEqual(problemOf(await server.call(`GET ${path}/access`, { as: viewer })), forbidden);
    const other = await server.createMember(organizationId, 'editor');
    assert.deepEqual(problemOf(await server.call(`GET ${path}/permissions`, { as: other })), notFound);
    // With the membership, the access ends, also after a new invitation.
    await server.call(`DELETE /api/organizations/${organizationId}/members/${viewer.id}`, { as: owner });
    await server.addMember(organizationId, viewer, 'viewer');
    assert.deepEqual(problemOf(await server.call(`GET ${path}/tables`, { as: viewer })), notFound);
    const { body: log } = await server.call(`GET /api/organizations/${organizationId}/audit?limit=200`, {
      as: owner,
    });
    const entry = log.items.find(({ action }: { action: string }) => action === 'data_source.access_changed');
    assert.deepEqual(entry.details, {
      dataSourceId: source.id,
      name: 'Mine',
      before: { restricted: false, members: [], groups: [] },
      after: { ...body, groups: [] },
    });
  });
});
