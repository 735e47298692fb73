import assert from 'node:assert/strict';
import { startTestServer, type Engine, type Person, type TestServer } from '../server/test-server.ts';

export interface Team {
  readonly server: TestServer;
  readonly ada: Person;
  readonly bob: Person;
  readonly organizationId: string;
}

/** Starts a server with an organization that Ada owns and Bob edits. */
export async function startTeam(
  context: Parameters<typeof startTestServer>[0],
  engine: Engine,
): Promise<Team> {
  const server = await startTestServer(context, engine);
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const bob = await server.createMember(organizationId, 'editor');
  return { server, ada, bob, organizationId };
}

/** Creates a dashboard, and returns its id. */
export async function createDashboard(server: TestServer, as: Person, body: object): Promise<string> {
  const response = await server.call('POST /api/dashboards', { as, body });
  assert.equal(response.status, 201, response.text);
  return response.body.id;
}

export async function deleteDashboard(server: TestServer, as: Person, id: string): Promise<void> {
  assert.equal((await server.call(`DELETE /api/dashboards/${id}`, { as })).status, 204);
}

/** Sets who has access to a dashboard. */
export async function share(
  server: TestServer,
  as: Person,
  id: string,
  body: { restricted: boolean; members: { userId: string; access: 'view' | 'edit' }[] },
): Promise<void> {
  const response = await server.call(`PUT /api/dashboards/${id}/access`, { as, body });
  assert.equal(response.status, 200, response.text);
}

/** Returns the entries of the audit log about dashboards, newest first: action, actor and details. */
export async function dashboardAudit(
  server: TestServer,
  as: Person,
  organizationId: string,
): Promise<[string, string | undefined, Record<string, unknown>][]> {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/audit?limit=200`, { as });
  return body.items
    .filter(({ action }: { action: string }) => action.startsWith('dashboard.'))
    .map(({ action, actorId, details }: { action: string; actorId?: string; details: object }) => [
      action,
      actorId,
      details,
    ]);
}
