import assert from 'node:assert/strict';
import type { Role } from '#contract/organizations/organizations.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { layoutAt } from './editor.ts';
import {
  startTestServer,
  type TestResponse,
  type Engine,
  type Person,
  type TestServer,
} from '../server/test-server.ts';

/** An organization whose dashboards are exported and imported as documents. */
export interface Office {
  readonly server: TestServer;
  readonly owner: Person;
  readonly organizationId: string;
  member(role: Role): Promise<Person>;
  create(body: object, as?: Person): Promise<TestResponse['body']>;
  /** Returns the text of the export. */
  export(as?: Person): Promise<string>;
  import(documents: readonly unknown[], options?: { as?: Person; query?: string }): Promise<TestResponse>;
  /** Imports NDJSON. */
  importLines(text: string): Promise<TestResponse>;
}

export async function startOffice(
  context: Parameters<typeof startTestServer>[0],
  engine: Engine,
): Promise<Office> {
  return openOffice(await startTestServer(context, engine));
}

/** Creates another organization on a server. */
export async function openOffice(server: TestServer): Promise<Office> {
  const owner = await server.createPerson('Owner');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}/dashboards`;
  return {
    server,
    owner,
    organizationId,
    member: (role) => server.createMember(organizationId, role),
    create: async (body, as = owner) => {
      const response = await server.call('POST /api/dashboards', { as, body: { organizationId, ...body } });
      assert.equal(response.status, 201, response.text);
      return response.body;
    },
    export: async (as = owner) => {
      const response = await server.call(`GET ${path}/export`, { as });
      assert.equal(response.status, 200, response.text);
      return response.text;
    },
    import: (documents, { as = owner, query = '' } = {}) =>
      server.call(`POST ${path}/import${query}`, { as, body: { documents } }),
    importLines: (body) =>
      server.call(`POST ${path}/import`, {
        as: owner,
        body,
        headers: { 'content-type': 'application/x-ndjson' },
      }),
  };
}

export const documentsOf = (text: string): TestResponse['body'][] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Creates two dashboards: one with different widgets, one without. */
export async function furnish(office: Office): Promise<void> {
  await office.create({
    name: 'Sales',
    description: 'All of it',
    widgets: [
      { reportId: 'revenue', layout: layoutAt(0, 0), config: { z: 1, a: { deep: [null, -0.5, '\u2028'] } } },
      { reportId: 'orders' },
    ],
  });
  await office.create({ name: '../../etc/passwd' });
}

/** Adds a data source to an organization, and returns its id. */
export async function addSource({ server, owner, organizationId }: Office, name = 'Shop'): Promise<string> {
  const path = `/api/organizations/${organizationId}/data-sources`;
  const response = await server.call(`POST ${path}`, { as: owner, body: { name, kind: 'files' } });
  assert.equal(response.status, 201, response.text);
  return response.body.id;
}

/** Creates a report on a data source. */
export async function addReport(
  { server, owner, organizationId }: Office,
  dataSourceId: string,
  content: object = {},
): Promise<TestResponse['body']> {
  const body = { organizationId, dataSourceId, name: 'Revenue', query: 'select 1', ...content };
  const response = await server.call('POST /api/reports', { as: owner, body });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

const restrict = prepare((db, p: { id: string }) =>
  db.updateTable('dashboards').set({ restricted: 1 }).where('id', '=', p.id),
);

/** Restricts a dashboard to the people who are listed on it. */
export const restrictDashboard = ({ server }: Office, id: string): Promise<number> =>
  server.database.write((transaction) => transaction.run(restrict, { id }));

const rows = prepare((db) => db.selectFrom('dashboards').selectAll().orderBy('id'));
const versions = prepare((db) => db.selectFrom('dashboard_versions').selectAll().orderBy('record_id'));
const reports = prepare((db) => db.selectFrom('reports').selectAll().orderBy('id'));
const reportVersions = prepare((db) => db.selectFrom('report_versions').selectAll().orderBy('record_id'));
const entries = prepare((db) => db.selectFrom('audit_entries').selectAll().orderBy('id'));

/** Returns everything that an import can change. */
export const everythingStored = async ({ server: { database } }: Office): Promise<unknown[]> => [
  await database.all(rows, {}),
  await database.all(versions, {}),
  await database.all(reports, {}),
  await database.all(reportVersions, {}),
  await database.all(entries, {}),
];
