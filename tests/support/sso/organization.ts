import assert from 'node:assert/strict';
import type { Role } from '#contract/organizations/organizations.ts';
import type { SsoCheck } from '#contract/sso/sign-in.ts';
import type { SsoStatus } from '#contract/sso/policy.ts';
import { hashPassword } from '../../../src/server/accounts/passwords.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import type { TestResponse, CallOptions, Person, TestServer } from '../server/test-server.ts';
import type { Directory } from './directory.ts';
import { cookieOf, linkTokenOf, pathOf, toPerson } from './responses.ts';

/** The password of every account that has one. */
export const password = 'the password of an account';
let passwordHash: Promise<string> | undefined;

export interface OrganizationOptions {
  /** Default: Entra. */
  readonly directory?: Directory;
  /** Changes to the usual configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** The ID of an organization that exists. Default: a new one is created. */
  readonly id?: string;
  /** Whether the domain is verified. Default: true. */
  readonly isVerified?: boolean;
}

/** A sign-in that has started: the URL to which the browser is redirected, and its cookie. */
export interface StartedSignIn {
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
  call(line: string, options?: CallOptions): Promise<TestResponse>;
  /** Stores the usual configuration with some fields changed, or left out if they are undefined. */
  save(changes?: Readonly<Record<string, unknown>>): Promise<void>;
  status(): Promise<SsoStatus>;
  putPolicy(changes: Readonly<Record<string, unknown>>, as?: Person): Promise<TestResponse>;
  /** Has the owner, or `as`, verify a domain by DNS. Default: its own. */
  verify(domain?: string, as?: Person): Promise<TestResponse>;
  setRole(person: Person, role: Role, as?: Person): Promise<void>;
  createRecoveryCodes(as?: Person): Promise<string[]>;
  /** Adds a person to the directory, with `{name}@{domain}` as the principal name. Returns the subject. */
  addPerson(name: string, claims?: Readonly<Record<string, unknown>>): string;
  /** Creates an account `{name}@{domain}` with `password` and an unlimited session, a member if there is a role. */
  addAccount(name: string, role?: Role): Promise<Person>;
  start(query?: string): Promise<StartedSignIn>;
  /** Signs in at the directory. Returns the response of the callback. */
  complete(started: StartedSignIn, subject: string): Promise<TestResponse>;
  signIn(subject: string): Promise<TestResponse>;
  /** Signs in. Returns the person with the session. */
  enter(subject: string): Promise<Person>;
  /** Signs in for the first time as a person who has an account, and links that with its password. */
  enterAndLink(subject: string): Promise<Person>;
  /** Signs in. Returns the problem with which the callback responds. */
  refusal(subject: string): Promise<{ status: number; code: string; detail: string }>;
  /** Completes a test sign-in. Returns its result, with the codes of the failed checks. */
  test(subject: string): Promise<TestResponse['body']>;
  members(): Promise<{ userId: string; email: string; name: string; role: string }[]>;
  /** Returns the role of a person who is a member. */
  roleOf(person: Person): Promise<string | undefined>;
  /** Returns the audit log, or the entries of an action, oldest first. */
  audit(action?: string): Promise<{ action: string; actorId?: string; details: Record<string, unknown> }[]>;
  /** Returns the details of the refused sign-ins in the audit log, oldest first. */
  refusals(): Promise<Record<string, unknown>[]>;
}

/** Creates an organization that is ready for sign-ins through a directory. */
export async function createOrganization(
  server: TestServer,
  {
    directory,
    configuration = {},
    id: existing,
    isVerified = true,
  }: OrganizationOptions & Pick<SsoOrganization, 'directory'>,
  domain: string,
): Promise<SsoOrganization> {
  const owner = await server.createPerson('Owner');
  const id = existing ?? (await server.createOrganization(owner));
  if (existing !== undefined) await server.addMember(existing, owner, 'owner');
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
    const response = await call('POST /config', { body: { ...usual, ...changes } });
    assert.equal(response.status, 200, response.text);
  };
  await save();
  const { body: stored } = await call('GET /config');
  if (isVerified) await verifyDomainAsOperator(server.database, Date.now, { organizationId: id, domain });
  directory.allowRedirect((await call('GET /status')).body.redirectUri);

  const start: SsoOrganization['start'] = async (query = '') => {
    const response = await server.call(`GET /api/sso/start/${id}${query}`);
    assert.equal(response.status, 302, response.text);
    return { url: String(response.headers.location), cookie: cookieOf(response) };
  };
  const complete: SsoOrganization['complete'] = async ({ url, cookie }, subject) =>
    server.call(`GET ${pathOf(await directory.signIn(url, subject))}`, { headers: { cookie } });
  const signIn: SsoOrganization['signIn'] = async (subject) => complete(await start(), subject);
  const members: SsoOrganization['members'] = async () => {
    const response = await server.call(`GET /api/organizations/${id}/members`, {
      as: await server.createSsoSession(owner, id),
    });
    return response.body.items;
  };
  const audit: SsoOrganization['audit'] = async (action) => {
    const filter = action === undefined ? '' : `&action=${action}`;
    const response = await server.call(`GET /api/organizations/${id}/audit?limit=100${filter}`, {
      as: await server.createSsoSession(owner, id),
    });
    return response.body.items.toReversed();
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
    verify: (name = domain, as = owner) => call(`POST /domains/${name}/verify`, { as }),
    setRole: async (person, role, as = owner) => {
      const path = `/api/organizations/${id}/members/${person.id}`;
      const response = await server.call(`PATCH ${path}`, { as, body: { role } });
      assert.equal(response.status, 200, response.text);
    },
    createRecoveryCodes: async (as = owner) => {
      const response = await call('POST /recovery-codes', { as });
      assert.equal(response.status, 201, response.text);
      return response.body.items;
    },
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
    start,
    complete,
    signIn,
    enter: async (subject) => toPerson(server, await signIn(subject)),
    enterAndLink: async (subject) => {
      const started = await start();
      const token = linkTokenOf(await complete(started, subject));
      const response = await server.call('POST /api/sso/sign-in/link', {
        body: { token, password },
        headers: { cookie: started.cookie },
      });
      assert.equal(response.status, 200, response.text);
      return toPerson(server, response);
    },
    refusal: async (subject) => {
      const { status, body } = await signIn(subject);
      return { status, code: body.code, detail: body.detail };
    },
    test: async (subject) => {
      const response = await call('POST /config/test');
      assert.equal(response.status, 201, response.text);
      const { id: testId, url } = response.body;
      assert.equal((await complete({ url, cookie: cookieOf(response) }, subject)).status, 302);
      const { body } = await call(`GET /config/test/${testId}`);
      assert.equal(body.state, 'done');
      const failed = body.checks.filter(({ passed }: SsoCheck) => !passed);
      return { ...body, failed: failed.map(({ code }: SsoCheck) => code) };
    },
    members,
    roleOf: async (person) => (await members()).find(({ userId }) => userId === person.id)?.role,
    audit,
    refusals: async () => (await audit('sign_in.refused')).map(({ details }) => details),
  };
}
