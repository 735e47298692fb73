import assert from 'node:assert/strict';
import type { SsoStatus } from '#contract/sso/policy.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { hashPassword } from '../../../src/server/accounts/passwords.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { startDirectory, type Directory } from './directory.ts';
import { startDnsServer, type DnsServer } from '../network/dns-server.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { describeInWorld } from '../server/shared-world.ts';
import {
  startTestServer,
  type Answer,
  type CallOptions,
  type Engine,
  type Person,
  type TestServer,
} from '../server/test-server.ts';

/** Of every account of the tests that has one. */
export const password = 'the password of an account';
let passwordHash: Promise<string> | undefined;

export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';

/** A server with an Entra, an AD FS and a DNS server around it, which the tests of a suite share. */
export interface SsoWorld {
  readonly server: TestServer;
  readonly entra: Directory;
  readonly adfs: Directory;
  readonly dns: DnsServer;
  /** Founds an organization with a configuration that is ready, on a domain of its own that is vouched for. */
  createOrganization(options?: OrganizationOptions): Promise<SsoOrganization>;
}

export interface OrganizationOptions {
  /** The directory; the Entra when left out. */
  readonly directory?: Directory;
  /** What is stored otherwise than usual. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Whether the domains are proven. */
  readonly isVouchedFor?: boolean;
}

/** A sign-in that has been begun: where the browser is sent, and its cookie. */
export interface BegunSignIn {
  readonly url: string;
  readonly cookie: string;
}

/** An organization whose people sign in through its directory. */
export interface SsoOrganization {
  readonly id: string;
  readonly owner: Person;
  readonly directory: Directory;
  /** An email domain that no other organization has. */
  readonly domain: string;
  readonly configurationId: string;
  /** Calls a route below `/api/sso/orgs/{id}` as the owner, unless `as` says otherwise. */
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** Stores the usual configuration with some members changed; a member that is undefined is left out. */
  save(changes?: Readonly<Record<string, unknown>>): Promise<void>;
  status(): Promise<SsoStatus>;
  putPolicy(changes: Readonly<Record<string, unknown>>, as?: Person): Promise<Answer>;
  /** Adds a person to the directory, with `{name}@{domain}` as the principal name; returns the subject. */
  addPerson(name: string, claims?: Readonly<Record<string, unknown>>): string;
  /**
   * Creates an account `{name}@{domain}` with `password`, a member if there is a role; its session opens everything.
   */
  addAccount(name: string, role?: Role): Promise<Person>;
  begin(query?: string): Promise<BegunSignIn>;
  /** Walks the directory's pages, and returns what the callback answers. */
  complete(begun: BegunSignIn, subject: string): Promise<Answer>;
  signIn(subject: string): Promise<Answer>;
  /** Signs in, and returns who that is, with the session. */
  enter(subject: string): Promise<Person>;
  /** Signs in for the first time as somebody who has an account, and links that by its password. */
  enterAndLink(subject: string): Promise<Person>;
  /** Signs in, and returns the problem that the callback answers with. */
  refusal(subject: string): Promise<{ status: number; code: string; detail: string }>;
  members(): Promise<{ userId: string; email: string; name: string; role: string }[]>;
  /** Returns the role of a person who is a member. */
  roleOf(person: Person): Promise<string | undefined>;
  /** The audit log, oldest first: each action with its details. */
  audit(action?: string): Promise<{ action: string; actorId?: string; details: Record<string, unknown> }[]>;
}

/** Declares the same tests on both engines, which share a world. */
export const describeSignIns = (name: string, declare: (world: SsoWorld, engine: Engine) => void): void =>
  describeInWorld(name, startWorld, declare);

async function startWorld(owner: Owner, engine: Engine): Promise<SsoWorld> {
  const entra = await startDirectory({ tenantId });
  atEndOf(owner, entra.stop);
  const adfs = await startDirectory();
  atEndOf(owner, adfs.stop);
  const dns = await startDnsServer();
  atEndOf(owner, dns.stop);
  const server = await startTestServer(owner, engine, {
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${entra.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: `${entra.host},${adfs.host}`,
    ATRIUM_DNS_SERVERS: dns.address,
  });
  let count = 0;
  return {
    server,
    entra,
    adfs,
    dns,
    createOrganization: (options = {}) => {
      count += 1;
      return createOrganization(server, { directory: entra, ...options }, `contoso${count}.example`);
    },
  };
}

async function createOrganization(
  server: TestServer,
  {
    directory,
    configuration = {},
    isVouchedFor = true,
  }: OrganizationOptions & Pick<SsoOrganization, 'directory'>,
  domain: string,
): Promise<SsoOrganization> {
  const owner = await server.createPerson('Owner');
  const id = await server.createOrganization(owner);
  const usual = {
    provider: 'idp_ad',
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    ...(directory.tenantId === undefined
      ? { discoveryUrl: directory.discoveryUrl }
      : { tenantId: directory.tenantId }),
    emailDomains: [domain],
    enabled: true,
    ...configuration,
  };
  const call: SsoOrganization['call'] = (line, options = {}) => {
    const [method, path] = line.split(' ') as [string, string];
    return server.call(`${method} /api/sso/orgs/${id}${path}`, { as: owner, ...options });
  };
  const save: SsoOrganization['save'] = async (changes = {}) => {
    const answer = await call('POST /config', { body: { ...usual, ...changes } });
    assert.equal(answer.status, 200, answer.text);
  };
  await save();
  const { body: stored } = await call('GET /config');
  if (isVouchedFor) await verifyDomainAsOperator(server.database, Date.now, { organizationId: id, domain });
  directory.allowRedirect((await call('GET /status')).body.redirectUri);

  const begin: SsoOrganization['begin'] = async (query = '') => {
    const answer = await server.call(`GET /api/sso/start/${id}${query}`);
    assert.equal(answer.status, 302, answer.text);
    return { url: String(answer.headers.location), cookie: cookieOf(answer) };
  };
  const complete: SsoOrganization['complete'] = async ({ url, cookie }, subject) =>
    server.call(`GET ${pathOf(await directory.signIn(url, subject))}`, { headers: { cookie } });
  const signIn: SsoOrganization['signIn'] = async (subject) => complete(await begin(), subject);
  const members: SsoOrganization['members'] = async () => {
    const answer = await server.call(`GET /api/organizations/${id}/members`, {
      as: await server.createSsoSession(owner, id),
    });
    return answer.body.items;
  };
  return {
    id,
    owner,
    directory,
    domain,
    configurationId: stored.id,
    call,
    save,
    status: async () => (await call('GET /status')).body,
    putPolicy: (changes, as = owner) =>
      call('PUT /policy', {
        as,
        body: { requireSso: false, defaultRole: 'viewer', roleMappings: [], ...changes },
      }),
    addPerson: (name, claims = {}) => {
      const subject = `${domain} ${name}`;
      const principal = `${name.toLowerCase()}@${domain}`;
      const own =
        directory.tenantId === undefined ? { upn: principal } : { name, preferred_username: principal };
      directory.addPerson({ subject, claims: { ...own, ...claims } });
      return subject;
    },
    addAccount: async (name, role) => {
      passwordHash ??= hashPassword(password);
      const input = { email: `${name.toLowerCase()}@${domain}`, name, passwordHash: await passwordHash };
      const { id: userId, email } = await server.database.write((transaction) =>
        createUser(transaction, Date.now, input),
      );
      if (role !== undefined) await server.addMember(id, { id: userId, email, token: '' }, role);
      return toPerson(
        server,
        await server.call('POST /api/auth/sign-in/email', { body: { email, password } }),
      );
    },
    begin,
    complete,
    signIn,
    enter: async (subject) => toPerson(server, await signIn(subject)),
    enterAndLink: async (subject) => {
      const begun = await begin();
      const token = linkTokenOf(await complete(begun, subject));
      const answer = await server.call('POST /api/sso/sign-in/link', {
        body: { token, password },
        headers: { cookie: begun.cookie },
      });
      assert.equal(answer.status, 200, answer.text);
      return toPerson(server, answer);
    },
    refusal: async (subject) => {
      const { status, body } = await signIn(subject);
      return { status, code: body.code, detail: body.detail };
    },
    members,
    roleOf: async (person) => (await members()).find(({ userId }) => userId === person.id)?.role,
    audit: async (action) => {
      const filter = action === undefined ? '' : `&action=${action}`;
      const answer = await server.call(`GET /api/organizations/${id}/audit?limit=100${filter}`, {
        as: await server.createSsoSession(owner, id),
      });
      return answer.body.items.toReversed();
    },
  };
}

/** Returns who an answer has signed in. */
export async function toPerson(server: TestServer, answer: Answer): Promise<Person> {
  assert.ok([200, 302].includes(answer.status), answer.text);
  const cookie = cookieOf(answer);
  assert.ok(cookie.startsWith(`${sessionCookie}=`), cookie);
  const who = await server.call('GET /api/auth/get-session', { headers: { cookie } });
  const token = cookie.slice(sessionCookie.length + 1);
  return { id: who.body.user.id, email: who.body.user.email, token };
}

/** Returns the cookie that an answer sets, as the header to send. */
export const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? '';

/** Returns the token of the page to which a callback sends a browser that has to confirm a link. */
export function linkTokenOf(answer: Answer): string {
  assert.deepEqual([answer.status, answer.text], [302, '']);
  const [, token = ''] = /^\/sign-in\/link#([\w-]{43})$/.exec(String(answer.headers.location)) ?? [];
  assert.notEqual(token, '', String(answer.headers.location));
  return token;
}

/** Returns the path and the parameters of an address of the server. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
