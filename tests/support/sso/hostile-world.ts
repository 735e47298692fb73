import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { startHostileProvider, type Bends, type HostileProvider } from './hostile-provider.ts';
import {
  startTestServer,
  type Answer,
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
  /** Stores the configuration, with changes; what was cached of the provider is forgotten. */
  save(changes?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Begins a sign-in. */
  start(query?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** A whole sign-in, as far as it gets. */
  signIn(query?: string): Promise<SignIn>;
  /** What the owner is told. */
  status(): Promise<Answer>;
  /** The newest refusal of the audit log. */
  lastRefusal(): Promise<{ code: string; message: string; address: string; email?: string } | undefined>;
}

export interface SignIn {
  /** The last answer: of the start when that was refused, and else of the callback. */
  readonly answer: Answer;
  /** The path and query of the callback. */
  readonly callback: string | undefined;
  /** The cookie that binds the sign-in to its browser. */
  readonly cookie: string;
}

/** Starts a server with so many organizations, each with a provider and a proven domain of its own. */
export async function startTenancies(
  owner: Owner,
  engine: Engine,
  count = 1,
): Promise<[Tenancy, ...Tenancy[]]> {
  const providers = await Promise.all(
    Array.from({ length: count }, () => startHostileProvider(randomUUID())),
  );
  // Before the server, and so stopped after it: what it still asks for must be there until it closes.
  atEndOf(owner, () => Promise.all(providers.map((provider) => provider.stop())));
  const server = await startTestServer(owner, engine, {
    ATRIUM_SSO_PRIVATE_HOSTS: providers.map(({ host }) => host).join(','),
    // Nobody answers DNS there: no name is ever asked for outside.
    ATRIUM_DNS_SERVERS: providers[0]?.host ?? '',
  });
  const tenancies = [];
  for (const [index, provider] of providers.entries()) {
    tenancies.push(await createTenancy(server, provider, `corp${index}.example`));
  }
  // Sound because there is at least one.
  return tenancies as [Tenancy, ...Tenancy[]];
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
      if (started.status !== 302) return { answer: started, callback: undefined, cookie };
      const back = await provider.authorize(String(started.headers.location));
      const callback = `${back.pathname}${back.search}`;
      return { answer: await server.call(`GET ${callback}`, { headers: { cookie } }), callback, cookie };
    },
    status: () => server.call(`GET /api/sso/orgs/${organizationId}/status`, { as: owner }),
    async lastRefusal() {
      const line = `GET /api/organizations/${organizationId}/audit?action=sign_in.refused&limit=1`;
      return (await server.call(line, { as: owner })).body.items[0]?.details;
    },
  };
}

/** The first cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Answer): string =>
  [headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';

/** A sign-in that has come back from the provider, and is not completed. */
export async function comeBack(tenancy: Tenancy, query?: string): Promise<{ path: string; cookie: string }> {
  const started = await tenancy.start(query);
  assert.equal(started.status, 302, started.text);
  const back = await tenancy.provider.authorize(String(started.headers.location));
  return { path: `${back.pathname}${back.search}`, cookie: cookieOf(started) };
}

/** What the server answers to a browser with such cookies. */
export const visit = ({ server }: Tenancy, path: string, cookie?: string): Promise<Answer> =>
  server.call(`GET ${path}`, cookie === undefined ? {} : { headers: { cookie } });

const counts = {
  sessions: prepare((sql) => sql.selectFrom('sessions').select(sql.fn.countAll().as('count'))),
  users: prepare((sql) => sql.selectFrom('users').select(sql.fn.countAll().as('count'))),
  attempts: prepare((sql) => sql.selectFrom('sso_attempts').select(sql.fn.countAll().as('count'))),
};

export async function countRows({ database }: TestServer, table: keyof typeof counts): Promise<number> {
  return Number((await database.first(counts[table], {}))?.count);
}

/** A deviation, and what must come of it. */
export interface HostileCase {
  readonly name: string;
  readonly bends: Bends;
  /** The code and the words of the refusal, for the administrator. */
  readonly refusal: readonly [code: string, message: RegExp];
  /** Whether a browser could have made it up: then it says nothing of the configuration. */
  readonly isOfBrowser?: boolean;
}

/**
 * Signs in while the provider deviates, which must be refused with its reason and leave nothing behind; then the same
 * provider made honest again signs the same person in, so that it was the deviation and nothing else.
 */
export async function expectRefusal(
  tenancy: Tenancy,
  { name, bends, refusal, isOfBrowser = false }: HostileCase,
): Promise<void> {
  const { server, provider } = tenancy;
  const before = [await countRows(server, 'sessions'), await countRows(server, 'users')];
  await tenancy.save();
  server.advance(1_000);
  provider.bend(bends);
  const { answer } = await tenancy.signIn();
  provider.bend({});
  assert.equal(answer.status, 403, `${name}: ${answer.text.slice(0, 1_000)}`);
  assert.equal(answer.body.code, 'sign_in_refused', name);
  assert.ok(answer.text.length < 2_000, `${name}: the answer has ${answer.text.length} characters`);
  assert.doesNotMatch(String(answer.headers['set-cookie']), /auth\.session_token/);
  const [code, message] = refusal;
  const status = (await tenancy.status()).body;
  assert.equal(status.state, isOfBrowser ? 'ready' : 'failing', name);
  assert.match(status.lastFailure.message, message, name);
  const written = await tenancy.lastRefusal();
  assert.deepEqual([written?.code, written?.message], [code, status.lastFailure.message], name);
  assert.deepEqual([await countRows(server, 'sessions'), await countRows(server, 'users')], before, name);
  await expectControl(tenancy, name);
}

/** The honest provider signs the person in. */
export async function expectControl(tenancy: Tenancy, name: string): Promise<void> {
  await tenancy.save();
  tenancy.server.advance(1_000);
  const { answer } = await tenancy.signIn();
  assert.equal(answer.status, 302, `${name}, control: ${answer.text}`);
  assert.match(cookieOf(answer), /^auth\.session_token=/, name);
}
