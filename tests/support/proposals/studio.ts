import assert from 'node:assert/strict';
import type { ReportEdit } from '#contract/reports/reports.ts';
import { bearer, createServiceAccount, createToken } from '../credentials/tokens.ts';
import type { Owner } from '../endings.ts';
import {
  startTestServer,
  type CallOptions,
  type Engine,
  type Person,
  type TestResponse,
  type TestServer,
} from '../server/test-server.ts';

type Caller = Pick<CallOptions, 'as' | 'headers'>;

/** An organization with an owner and an editor, whose programs propose. */
export interface Studio {
  readonly server: TestServer;
  readonly organizationId: string;
  /** The URL of the organization. */
  readonly path: string;
  readonly owner: Person;
  readonly editor: Person;
  readonly dataSourceId: string;
  /** Returns a report on the data source. */
  report(name: string): ReportEdit;
  createReport(name: string): Promise<string>;
  createDashboard(name: string, widgets?: readonly object[]): Promise<string>;
  /** Creates a personal token named “Agent”, which proposes and reads. */
  tokenOf(person: Person): Promise<{ headers: { authorization: string } }>;
  serviceAccount(role?: string): Promise<{ headers: { authorization: string } }>;
  propose(caller: Caller, body: object): Promise<TestResponse>;
  accept(as: Person, proposal: TestResponse): Promise<TestResponse>;
}

/** Starts a server with a studio. */
export async function startStudio(ending: Owner, engine: Engine): Promise<Studio> {
  const server = await startTestServer(ending, engine);
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const editor = await server.createPerson('Ed');
  await server.addMember(organizationId, editor, 'editor');
  const path = `/api/organizations/${organizationId}`;
  const post = async (line: string, body: object): Promise<string> => {
    const response = await server.call(line, { as: owner, body });
    assert.equal(response.status, 201, response.text);
    return response.body.id;
  };
  const dataSourceId = await post(`POST ${path}/data-sources`, { name: 'Files', kind: 'files' });
  const report = (name: string): ReportEdit => ({ name, dataSourceId, query: 'select 1 as n' });
  const scopes = ['read', 'propose'] as const;
  return {
    server,
    organizationId,
    path,
    owner,
    editor,
    dataSourceId,
    report,
    createReport: (name) => post('POST /api/reports', { organizationId, ...report(name) }),
    createDashboard: (name, widgets = []) => post('POST /api/dashboards', { organizationId, name, widgets }),
    tokenOf: async (person) =>
      bearer(await createToken(server, person, { organizationId, name: 'Agent', scopes: [...scopes] })),
    serviceAccount: async (role = 'viewer') =>
      bearer(await createServiceAccount(server, owner, { organizationId, role, scopes: [...scopes] })),
    propose: (caller, body) => server.call(`POST ${path}/proposals`, { ...caller, body }),
    accept: (as, { body: { id } }) => server.call(`POST ${path}/proposals/${id}/accept`, { as }),
  };
}
