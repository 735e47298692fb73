import type { TestResponse, Person, TestServer } from '../server/test-server.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';

export const anId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const at = '2026-11-21T09:00:00.000Z';
export const secondsLater = '2026-11-21T09:00:05.000Z';
export const derivedUrl =
  'https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration';
export const canary = 'canary-secret-7f3a';

/** A body with only the required fields. */
export const least = { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: true };

export const allRows = prepare((sql) =>
  sql.selectFrom('sso_configurations').selectAll().orderBy('organization_id'),
);

export interface Office {
  readonly server: TestServer;
  readonly ada: Person;
  readonly organizationId: string;
  put(body: unknown, as?: Person): Promise<TestResponse>;
  get(as?: Person): Promise<TestResponse>;
  remove(as?: Person): Promise<TestResponse>;
}

/** Creates an organization that Ada owns. Returns the three operations on its configuration. */
export async function openOffice(server: TestServer): Promise<Office> {
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const path = `/api/sso/orgs/${organizationId}/config`;
  return {
    server,
    ada,
    organizationId,
    put: (body, as = ada) => server.call(`POST ${path}`, { as, body }),
    get: (as = ada) => server.call(`GET ${path}`, { as }),
    remove: (as = ada) => server.call(`DELETE ${path}`, { as }),
  };
}
