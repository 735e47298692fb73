import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import {
  startTestServer,
  type TestResponse,
  type Engine,
  type TestDatabase,
  type Person,
  type TestServer,
} from '../server/test-server.ts';
import { dashboardEditOf } from '../edits.ts';

/** Returns a layout that is half as wide as the grid, and 4 high. */
export const layoutAt = (x: number, y: number): WidgetLayout => ({ x, y, w: 6, h: 4 });

export interface Editor {
  readonly server: TestServer;
  readonly ada: Person;
  readonly bob: Person;
  readonly path: string;
  /** The record that was created: two widgets side by side. */
  readonly created: TestResponse['body'];
  /** Saves what can be edited of a record. */
  put(as: Person, version: number | '*', edited: object): Promise<TestResponse>;
}

/** Starts a server with a dashboard of an organization that Ada owns and Bob edits. */
export async function startEditing(
  context: Parameters<typeof startTestServer>[0],
  engine: Engine,
  opened?: TestDatabase,
): Promise<Editor> {
  const server = await startTestServer(context, engine, {}, opened);
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const bob = await server.createMember(organizationId, 'editor');
  const widgets = [
    { reportId: 'revenue', layout: layoutAt(0, 0), config: { title: 'Revenue' } },
    { reportId: 'orders', layout: layoutAt(6, 0), config: { title: 'Orders' } },
  ];
  const body = { name: 'Sales', description: 'All of it', organizationId, widgets };
  const { body: created } = await server.call('POST /api/dashboards', { as: ada, body });
  const path = `/api/dashboards/${created.id}`;
  const put: Editor['put'] = (as, version, edited) =>
    server.call(`PUT ${path}`, {
      as,
      body: dashboardEditOf(edited),
      headers: { 'if-match': version === '*' ? '*' : `"${version}"` },
    });
  return { server, ada, bob, path, created, put };
}
