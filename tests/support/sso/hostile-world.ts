import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { isPersonal } from '../../../src/server/sso/sign-in/personal-refusals.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { cookieOf } from './responses.ts';
import { startHostileProvider, type Bends, type HostileProvider } from './hostile-provider.ts';
import { describeInWorld } from '../server/shared-world.ts';
import {
  startTestServer,
  type TestResponse,
  type Engine,
  type Person,
  type TestServer,
} from '../server/test-server.ts';

/** An organization that signs in through a hostile provider of its own. */
export interface Tenancy {
  readonly server: TestServer;
  readonly provider: HostileProvider;
  readonly owner: Person;
  readonly organizationId: string;
  readonly configurationId: string;
  readonly domain: string;
  /** Stores the configuration, with changes, which also clears what is cached of the provider. */
  save(changes?: Readonly<Record<string, unknown>>): Promise<TestResponse>;
  /** Starts a sign-in. */
  start(query?: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Completes a sign-in, or as much of it as is allowed. */
  signIn(query?: string): Promise<SignIn>;
  /** Returns the status that the owner sees. */
  status(): Promise<TestResponse>;
  /** Returns the newest refusal in the audit log. */
  lastRefusal(): Promise<{ code: string; message: string; address: string; email?: string } | undefined>;
}

export interface SignIn {
  /** The last response: of the callback, or of the start if that was refused. */
  readonly response: TestResponse;
  /** The path and query of the callback. */
  readonly callback: string | undefined;
  /** The cookie that binds the sign-in to its browser. */
  readonly cookie: string;
}

/** A server whose organizations each sign in through a hostile provider of their own. */
export interface HostileWorld {
  readonly server: TestServer;
  /** Creates an organization with a provider and a verified domain: `corp0.example` first, then `corp1.example`. */
  createTenancy(): Promise<Tenancy>;
}

/** The most organizations that a world can have, since the server must know the providers' hosts when it starts. */
const maxTenancies = 16;

/** Declares the same tests on each engine, by default the usual ones. They share a world. */
export const describeTenancies = (
  name: string,
  declare: (world: HostileWorld, engine: Engine) => void,
  on?: readonly Engine[],
): void => describeInWorld(name, startHostileWorld, declare, on);

async function startHostileWorld(owner: Owner, engine: Engine): Promise<HostileWorld> {
  const providers = await Promise.all(
    Array.from({ length: maxTenancies }, () => startHostileProvider(randomUUID())),
  );
  // Registered before the server, and so stopped after it, since the server can send requests until it closes.
  atEndOf(owner, () => Promise.all(providers.map((provider) => provider.stop())));
  const server = await startTestServer(owner, engine, {
    ATRIUM_SSO_PRIVATE_HOSTS: providers.map(({ host }) => host).join(','),
    // No DNS server responds there, so that no name is looked up outside.
    ATRIUM_DNS_SERVERS: providers[0]?.host ?? '',
  });
  let count = 0;
  return {
    server,
    createTenancy: () => {
      const provider = providers[count];
      if (provider === undefined) throw new Error(`A world has at most ${maxTenancies} tenancies.`);
      count += 1;
      return createTenancy(server, provider, `corp${count - 1}.example`);
    },
  };
}

async function createTenancy(
  server: TestServer,
  provider: HostileProvider,
  domain: string,
): Promise<Tenancy> {
  const owner = await server.createPerson('Owner');
  const organizationId = await server.createOrganization(owner);
  const save = async (changes: Readonly<Record<string, unknown>> = {}) =>
    server.call(`POST /api/sso/orgs/${organizationId}/config`, {
      as: owner,
      body: {
        provider: 'idp_ad',
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        tenantId: provider.tenantId,
        discoveryUrl: provider.discoveryUrl,
        emailDomains: [domain],
        enabled: true,
        ...changes,
      },
    });
  const saved = await save();
  assert.equal(saved.status, 200, saved.text);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  provider.setPerson({ oid: 'oid-of-bob', name: 'Bob', preferred_username: `bob@${domain}` });
  const start = (query = '', headers: Readonly<Record<string, string>> = {}) =>
    server.call(`GET /api/sso/start/${organizationId}${query}`, { headers });
  return {
    server,
    provider,
    owner,
    organizationId,
    configurationId: saved.body.id,
    domain,
    save,
    start,
    async signIn(query) {
      const started = await start(query);
      const cookie = cookieOf(started);
      if (started.status !== 302) return { response: started, callback: undefined, cookie };
      const back = await provider.authorize(String(started.headers.location));
      const callback = `${back.pathname}${back.search}`;
      return { response: await server.call(`GET ${callback}`, { headers: { cookie } }), callback, cookie };
    },
    status: () => server.call(`GET /api/sso/orgs/${organizationId}/status`, { as: owner }),
    async lastRefusal() {
      const line = `GET /api/organizations/${organizationId}/audit?action=sign_in.refused&limit=1`;
      return (await server.call(line, { as: owner })).body.items[0]?.details;
    },
  };
}

/** Starts a sign-in, and returns the callback to which the provider redirects, which isn't called yet. */
export async function comeBack(tenancy: Tenancy, query?: string): Promise<{ path: string; cookie: string }> {
  const started = await tenancy.start(query);
  assert.equal(started.status, 302, started.text);
  const back = await tenancy.provider.authorize(String(started.headers.location));
  return { path: `${back.pathname}${back.search}`, cookie: cookieOf(started) };
}

/** Requests a path as a browser with these cookies. */
export const visit = ({ server }: Tenancy, path: string, cookie?: string): Promise<TestResponse> =>
  server.call(`GET ${path}`, cookie === undefined ? {} : { headers: { cookie } });

const counts = {
  sessions: prepare((sql) => sql.selectFrom('sessions').select(sql.fn.countAll().as('count'))),
  users: prepare((sql) => sql.selectFrom('users').select(sql.fn.countAll().as('count'))),
  attempts: prepare((sql) => sql.selectFrom('sso_attempts').select(sql.fn.countAll().as('count'))),
};

export async function countRows({ database }: TestServer, table: keyof typeof counts): Promise<number> {
  return Number((await database.first(counts[table], {}))?.count);
}

/** A deviation, and the code and message of the refusal, which administrators see. */
export type HostileCase = readonly [name: string, bends: Bends, code: string, message: RegExp];

/**
 * Signs in while the provider deviates, which must be refused with its reason and change nothing; then the same
 * provider, honest again, signs the same person in, which proves that only the deviation was refused. A deviation that
 * a browser can make up, or that concerns one person, must not change the state of the configuration.
 */
export async function expectRefusal(
  tenancy: Tenancy,
  [name, bends, code, message]: HostileCase,
  { isOfBrowser = false } = {},
): Promise<void> {
  const { server, provider } = tenancy;
  const before = [await countRows(server, 'sessions'), await countRows(server, 'users')];
  await tenancy.save();
  server.advance(1_000);
  provider.bend(bends);
  const { response } = await tenancy.signIn();
  provider.bend({});
  assert.equal(response.status, 403, `${name}: ${response.text.slice(0, 1_000)}`);
  assert.equal(response.body.code, 'sign_in_refused', name);
  assert.ok(response.text.length < 2_000, `${name}: the response has ${response.text.length} characters`);
  assert.doesNotMatch(String(response.headers['set-cookie']), /auth\.session_token/);
  const status = (await tenancy.status()).body;
  assert.equal(status.state, isOfBrowser || isPersonal(code) ? 'ready' : 'failing', name);
  assert.match(status.lastFailure.message, message, name);
  const written = await tenancy.lastRefusal();
  assert.deepEqual([written?.code, written?.message], [code, status.lastFailure.message], name);
  assert.deepEqual([await countRows(server, 'sessions'), await countRows(server, 'users')], before, name);
  await expectControl(tenancy, name);
}

/** Expects that a sign-in succeeds, which proves that the refusals before it had their reason. Returns the session cookie. */
export async function expectControl(tenancy: Tenancy, name: string): Promise<string> {
  await tenancy.save();
  tenancy.server.advance(1_000);
  const { response } = await tenancy.signIn();
  assert.equal(response.status, 302, `${name}, control: ${response.text}`);
  assert.match(cookieOf(response), /^auth\.session_token=/, name);
  return cookieOf(response);
}
