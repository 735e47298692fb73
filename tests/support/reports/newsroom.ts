import assert from 'node:assert/strict';
import type { Report } from '#contract/reports/reports.ts';
import type { Owner } from '../endings.ts';
import {
  createFilledTemplate,
  openTestDatabase,
  startTestServer,
  type TestResponse,
  type Engine,
  type Person,
  type TestServer,
} from '../server/test-server.ts';
import { filesOfficeOf, openFilesOffice, type FilesOffice } from '../data-sources/uploads.ts';

/** An organization that writes reports on uploaded tables. */
export interface Newsroom extends FilesOffice {
  /** Saves a report as Ada. */
  save(report: Partial<Report>): Promise<Report>;
  run(report: Pick<Report, 'id'>, body?: object, as?: Person): Promise<TestResponse>;
  runUnsaved(body: object): Promise<TestResponse>;
}

/**
 * Starts a server with a newsroom, whose table `sales` has a row for each region and year. Each is a copy of one that is made
 * once: the import of the table alone takes longer than the start of the server.
 */
export async function startNewsroom(
  owner: Owner,
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
): Promise<Newsroom> {
  templates[engine] ??= createFilledTemplate(engine, openNewsroom);
  const { place, content } = await templates[engine];
  const opened = { ...(await openTestDatabase(engine, undefined, place)), personCount: 1 };
  const server = await startTestServer(owner, engine, environment, opened);
  return toNewsroom(filesOfficeOf(server, content));
}

const templates: Partial<Record<Engine, ReturnType<typeof createFilledTemplate<Newsroom>>>> = {};

/** Opens a newsroom on a server. */
export async function openNewsroom(server: TestServer): Promise<Newsroom> {
  const office = await openFilesOffice(server);
  assert.equal((await office.upload('sales', salesCsv)).status, 200);
  return toNewsroom(office);
}

function toNewsroom(office: FilesOffice): Newsroom {
  const { server, owner, organizationId, id: dataSourceId } = office;
  return {
    ...office,
    async save(report) {
      const body = { organizationId, name: 'Sales', dataSourceId, query: 'SELECT 1', ...report };
      const created = await server.call('POST /api/reports', { as: owner, body });
      assert.equal(created.status, 201, created.text);
      return created.body;
    },
    run: (report, body = {}, as = owner) => server.call(`POST /api/reports/${report.id}/run`, { as, body }),
    runUnsaved: (body) =>
      server.call('POST /api/reports/preview', {
        as: owner,
        body: { organizationId, dataSourceId, ...body },
      }),
  };
}

const salesCsv = `region,day,amount,is_open
north,2025-03-01,10.5,true
north,2026-03-01,20,false
south,2025-06-01,30,true
south,2026-06-01,40,true
`;
