import assert from 'node:assert/strict';
import { createServiceAccount } from '../credentials/tokens.ts';
import type { Person, TestResponse, TestServer } from '../server/test-server.ts';
import type { SsoOrganization } from './organization.ts';
import type { SsoWorld } from './world.ts';

export const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

/** What a provisioning service sends to an organization. */
export interface Provisioner {
  readonly token: string;
  readonly accountId: string;
  /** Sends a request such as `GET /Users`. */
  call(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Creates a person as Entra does, with `{name}@{domain}` as the user name. */
  createUser(name: string, more?: Readonly<Record<string, unknown>>): Promise<TestResponse['body']>;
  /** Creates a group with members. */
  createGroup(name: string, members: readonly string[], more?: object): Promise<TestResponse['body']>;
  patch(path: string, ...operations: object[]): Promise<TestResponse>;
  setActive(id: string, active: boolean): Promise<void>;
}

/** Creates the credential with which a directory provisions an organization, by default by its owner. */
export async function startProvisioning(
  server: TestServer,
  { id: organizationId, owner, domain }: Pick<SsoOrganization, 'id' | 'owner' | 'domain'>,
  as: Person = owner,
): Promise<Provisioner> {
  const { token, userId } = await createServiceAccount(server, as, { organizationId, scopes: ['scim'] });
  const call: Provisioner['call'] = (line, body, headers = {}) => {
    const [method, path] = line.split(' ') as [string, string];
    return server.call(`${method} /scim/v2/${organizationId}${path}`, {
      ...(body !== undefined && { body }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
    });
  };
  const patch: Provisioner['patch'] = (path, ...operations) =>
    call(`PATCH ${path}`, { schemas: [schemas.patch], Operations: operations });
  const create = async (path: string, body: object) => {
    const response = await call(`POST ${path}`, body);
    assert.equal(response.status, 201, response.text);
    return response.body;
  };
  return {
    token,
    accountId: userId,
    call,
    patch,
    createUser: (name, more = {}) =>
      create('/Users', entraUser(`${name.toLowerCase()}@${domain}`, name, more)),
    createGroup: (displayName, ids, more = {}) =>
      create('/Groups', {
        schemas: [schemas.group],
        displayName,
        members: ids.map((value) => ({ value })),
        ...more,
      }),
    setActive: async (id, active) => {
      const value = active ? 'True' : 'False';
      const response = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value });
      assert.equal(response.status, 200, response.text);
    },
  };
}

/** Creates an organization in a world, and starts to provision it. */
export async function createProvisioned(
  world: SsoWorld,
): Promise<{ readonly organization: SsoOrganization; readonly scim: Provisioner }> {
  const organization = await world.createOrganization();
  return { organization, scim: await startProvisioning(world.server, organization) };
}

/** The body with which Entra creates a person. */
export const entraUser = (userName: string, name: string, more: object = {}): Record<string, unknown> => ({
  schemas: [schemas.user, schemas.enterprise],
  userName,
  active: true,
  displayName: name,
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: name, familyName: 'Family', givenName: name },
  ...more,
});
