import assert from 'node:assert/strict';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import type { CallOptions, Person, TestResponse, TestServer } from '../server/test-server.ts';
import type { Directory } from './directory.ts';
import type { SsoOrganization, StartedSignIn } from './organization.ts';
import { cookieOf, pathOf, toPerson } from './responses.ts';

/** A directory of an organization beside the first one. */
export interface Connection {
  readonly id: string;
  /** An email domain that is verified for it. */
  readonly domain: string;
  readonly directory: Directory;
  /** Calls a route below `/api/sso/orgs/{orgId}/connections/{id}` as the owner, unless `as` says otherwise. */
  call(line: string, options?: CallOptions): Promise<TestResponse>;
  /** Stores it with some fields changed, or left out if they are undefined. */
  save(changes?: Readonly<Record<string, unknown>>): Promise<TestResponse>;
  /** Stores it as a page does that doesn't know the client secret, with some fields changed. */
  change(changes: Readonly<Record<string, unknown>>, as?: Person): Promise<TestResponse>;
  /** Adds a person with a confirmed address `{name}@{domain}` to its provider. Returns the subject. */
  addPerson(name: string, claims?: Readonly<Record<string, unknown>>): string;
  start(query?: string): Promise<StartedSignIn>;
  signIn(subject: string): Promise<TestResponse>;
  enter(subject: string): Promise<Person>;
}

/** Adds a directory to an organization, with a domain that is verified for it. */
export async function addConnection(
  server: TestServer,
  organization: SsoOrganization,
  directory: Directory,
  {
    provider = 'oidc',
    domain = `subsidiary.${organization.domain}`,
    as = organization.owner,
  }: { readonly provider?: string; readonly domain?: string; readonly as?: Person } = {},
): Promise<Connection> {
  const organizationId = organization.id;
  const shown = {
    name: 'Subsidiary',
    provider,
    clientId: directory.clientId,
    ...(directory.tenantId === undefined
      ? { discoveryUrl: directory.discoveryUrl }
      : { tenantId: directory.tenantId }),
    emailDomains: [domain],
    enabled: true,
  };
  const usual = { ...shown, clientSecret: directory.clientSecret };
  const created = await organization.call('POST /connections', { as, body: usual });
  assert.equal(created.status, 201, created.text);
  const { id } = created.body;
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  const call: Connection['call'] = (line, options) => {
    const [method, path = ''] = line.split(' ');
    return organization.call(`${method} /connections/${id}${path}`, options);
  };
  const { body: status } = await call('GET /status', { as });
  assert.equal(status.state, 'ready', JSON.stringify(status));
  directory.allowRedirect(status.redirectUri);
  const start: Connection['start'] = async (query = '') => {
    const response = await server.call(`GET /api/sso/start/${organizationId}?connection=${id}${query}`);
    assert.equal(response.status, 302, response.text);
    return { url: String(response.headers.location), cookie: cookieOf(response) };
  };
  const signIn: Connection['signIn'] = async (subject) => {
    const { url, cookie } = await start();
    return server.call(`GET ${pathOf(await directory.signIn(url, subject))}`, { headers: { cookie } });
  };
  return {
    id,
    domain,
    directory,
    call,
    save: (changes = {}) => call('PUT ', { body: { ...usual, ...changes } }),
    change: (changes, by = as) => call('PUT ', { as: by, body: { ...shown, ...changes } }),
    addPerson: (name, claims = {}) => {
      const subject = `${domain} ${name}`;
      const email = `${name.toLowerCase()}@${domain}`;
      directory.addPerson({ subject, claims: { name, email, email_verified: true, ...claims } });
      return subject;
    },
    start,
    signIn,
    enter: async (subject) => toPerson(server, await signIn(subject)),
  };
}
