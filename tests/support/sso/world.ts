import assert from 'node:assert/strict';
import {
  engines,
  startTestServer,
  type TestResponse,
  type Engine,
  type Person,
  type TestDatabase,
  type TestServer,
} from '../server/test-server.ts';
import { describeInWorld } from '../server/shared-world.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { startDirectory, type Directory } from './directory.ts';
import { startDnsServer, type DnsServer } from '../network/dns-server.ts';
import {
  createOrganization,
  password,
  type OrganizationOptions,
  type SsoOrganization,
} from './organization.ts';

export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';

/** A server with an Entra, an AD FS and a DNS server, which the tests of a suite share. */
export interface SsoWorld {
  readonly server: TestServer;
  readonly entra: Directory;
  readonly adfs: Directory;
  /** Neither Entra nor AD FS. */
  readonly openId: Directory;
  readonly dns: DnsServer;
  /** Creates an organization with a configuration that is ready, and a verified domain that only it has. */
  createOrganization(options?: OrganizationOptions): Promise<SsoOrganization>;
  /** Creates an organization with a domain that is not verified. */
  createUnverified(domain: string): Promise<SsoOrganization>;
  createRequiring(): Promise<RequiringOrganization>;
  signInByPassword(person: Pick<Person, 'email'>, typed?: string): Promise<TestResponse>;
  signInByCode(person: Pick<Person, 'email'>, code: string | undefined): Promise<TestResponse>;
  /** Returns whether a person with an email address signs in with `sso` or `password`. */
  methodOf(email: string): Promise<string>;
}

/** An organization that requires SSO, and its owner Ada, whose account has a password, in both kinds of session. */
export interface RequiringOrganization {
  readonly organization: SsoOrganization;
  readonly codes: string[];
  readonly byPassword: Person;
  readonly bySso: Person;
}

/** Declares the same tests on the usual engines. They share a world. */
export const describeSignIns = (name: string, declare: (world: SsoWorld, engine: Engine) => void): void =>
  describeInWorld(name, startWorld, declare);

/** Declares the same tests on both engines: where SQL or locks are what is tested. */
export const describeSignInsOnBothEngines = (
  name: string,
  declare: (world: SsoWorld, engine: Engine) => void,
): void => describeInWorld(name, startWorld, declare, engines);

interface WorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly opened?: TestDatabase;
}

/** Starts a world with further settings of the server, whose database can exist already. */
export async function startWorld(
  owner: Owner,
  engine: Engine,
  { environment = {}, opened }: WorldOptions = {},
): Promise<SsoWorld> {
  const entra = await startDirectory({ tenantId });
  atEndOf(owner, entra.stop);
  const adfs = await startDirectory();
  atEndOf(owner, adfs.stop);
  const openId = await startDirectory({ path: '/oauth2/default' });
  atEndOf(owner, openId.stop);
  const dns = await startDnsServer();
  atEndOf(owner, dns.stop);
  const server = await startTestServer(
    owner,
    engine,
    {
      ATRIUM_SSO_ENTRA_AUTHORITY: `http://${entra.host}`,
      ATRIUM_SSO_PRIVATE_HOSTS: `${entra.host},${adfs.host},${openId.host}`,
      ATRIUM_DNS_SERVERS: dns.address,
      ...environment,
    },
    opened,
  );
  let count = 0;
  const create: SsoWorld['createOrganization'] = (options = {}) => {
    count += 1;
    return createOrganization(server, { directory: entra, ...options }, `contoso${count}.example`);
  };
  return {
    server,
    entra,
    adfs,
    openId,
    dns,
    createOrganization: create,
    createUnverified: (domain) => create({ configuration: { emailDomains: [domain] }, isVerified: false }),
    createRequiring: async () => {
      const organization = await create();
      const byPassword = await organization.addAccount('Ada', 'owner');
      const codes = await organization.createRecoveryCodes(byPassword);
      const bySso = await organization.enterAndLink(organization.addPerson('Ada'));
      const response = await organization.putPolicy({ requireSso: true }, bySso);
      assert.deepEqual([response.status, response.body.requireSso], [200, true]);
      return { organization, codes, byPassword, bySso };
    },
    signInByPassword: ({ email }, typed = password) =>
      server.call('POST /api/auth/sign-in/email', { body: { email, password: typed } }),
    signInByCode: ({ email }, code) =>
      server.call('POST /api/auth/sign-in/recovery', { body: { email, code } }),
    methodOf: async (email) => (await server.call('POST /api/sso/sign-in', { body: { email } })).body.method,
  };
}
