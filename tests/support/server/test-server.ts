import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { describe } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Role } from '#contract/organizations/organizations.ts';
import type { Problem } from '#contract/problem.ts';
import { sessionCookie, type SessionMethod } from '#contract/accounts/sessions.ts';
import type { Clock } from '../../../src/server/base/clock.ts';
import { parseJson } from '../../../src/server/base/texts/json.ts';
import { createApp } from '../../../src/server/app.ts';
import { createWorkloadIdentity } from '../../../src/server/sso/workload/workload-identity.ts';
import { createSecretBox, type SecretBox } from '../../../src/server/base/credentials/secret-box.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { createMailer } from '../../../src/server/mail/mailer.ts';
import type { Email } from '../../../src/server/mail/transport.ts';
import type { S3Files } from '../../../src/server/data-sources/tables/s3/s3-files.ts';
import { openS3FilesIfWanted } from '../../../src/server/data-sources/tables/remote.ts';
import { firstConfigurationId } from '../../../src/server/sso/configuration/id.ts';
import { insertDirectorySession } from '../../../src/server/sso/logout/store.ts';
import { insertMember } from '../../../src/server/organizations/member-store.ts';
import { foundOrganization } from '../../../src/server/organizations/organizations.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { startSession, type SessionOrigin } from '../../../src/server/sessions/sessions.ts';
import type { Database } from '../../../src/server/storage/database.ts';
import type { JobState } from '../../../src/server/maintenance.ts';
import { createTxtResolver } from '../../../src/server/sso/domains/record.ts';
import { requestDeadlines, type Deadlines } from '../../../src/server/storage/postgres/connections.ts';
import { openDatabase } from '../../../src/server/storage/open-database.ts';
import { makeDataDirectory } from './data-directory.ts';
import { withoutRequestLimits } from './request-limits.ts';
import { atEndOf, endAll, type Owner } from '../endings.ts';
import { isExhaustive } from '../exhaustive.ts';
import { createPostgresDatabase } from '../storage/postgres.ts';
import { testSandbox } from '../data-sources/query-sandbox.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/**
 * The engines of tests of features, which rely on the tests of SQL, of locks and of the table of roles for what differs between
 * engines: both in `npm run test:exhaustive`.
 */
export const usualEngines: readonly Engine[] = isExhaustive ? engines : ['SQLite'];

/** Declares the same tests for both engines: where SQL or locks are what is tested. */
export const describeOnBothEngines = (name: string, declare: (engine: Engine) => void): void =>
  describeOn(engines, name, declare);

/** Declares the same tests for the usual engines. */
export const describeOnUsualEngine = (name: string, declare: (engine: Engine) => void): void =>
  describeOn(usualEngines, name, declare);

function describeOn(on: readonly Engine[], name: string, declare: (engine: Engine) => void): void {
  for (const engine of on) describe(`${name} on ${engine}`, () => declare(engine));
}

/** A user with a session that the tests send. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** Whether `token` is sent as a bearer token instead of the cookie of a session. */
  readonly isBearer?: boolean;
}

/** Returns the header that authenticates a person. */
export const credentialOf = ({ token, isBearer = false }: Person): Readonly<Record<string, string>> =>
  isBearer ? { authorization: `Bearer ${token}` } : { cookie: `${sessionCookie}=${token}` };

/** A response to a request of a test. */
export interface TestResponse {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  /** The body as it was sent, for files; empty for streams of events. */
  readonly bytes: Buffer;
  /** The parsed body; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole bodies, and reach into what they expect.
  readonly body: any;
}

export interface CallOptions {
  readonly as?: Person;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly app: FastifyInstance;
  /** The state of maintenance jobs, which don't run. */
  readonly jobs: JobState[];
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** Undefined if uploaded tables are in the data directory. */
  readonly s3Files: S3Files | undefined;
  /** Every email that was sent to the mail server. */
  readonly mails: Email[];
  /** How the mail server responds. At first, none is configured. */
  readonly mailServer: { state: 'none' | 'accepts' | 'refuses' };
  /** Every line of the log since the start. */
  readonly log: string[];
  /** Makes the server report that it is no longer ready, as SIGTERM does. */
  beginShutdown(): void;
  readonly clock: Clock;
  /** Advances the server's clock. */
  advance(milliseconds: number): void;
  /**
   * Sends a request such as `GET /api/…` through the whole server except its socket. If `text/event-stream` is
   * accepted, it returns the stream up to the first event, and closes it.
   */
  call(line: string, options?: CallOptions): Promise<TestResponse>;
  createPerson(name?: string): Promise<Person>;
  /**
   * Returns the person with a session that is limited to `organizationId`. Default of `method`: its identity
   * provider.
   */
  createSsoSession(person: Person, organizationId: string, method?: SessionMethod): Promise<Person>;
  createOrganization(owner: Person): Promise<string>;
  addMember(organizationId: string, person: Person, role: Role): Promise<void>;
  createMember(organizationId: string, role: Role): Promise<Person>;
  /** Allows the server to log errors, which otherwise fail the test. */
  expectErrors(): void;
}

/** Returns the lines of a log that report errors. */
export const errorsIn = (log: readonly string[]): string[] =>
  log.filter((line) => /"level":[56]0/.test(line));

/**
 * Starts the whole server on a new database; both end with `owner`. Only the clock and the mail server are replaced.
 * If the log contains an unexpected error, the test fails.
 */
export async function startTestServer(
  owner: Owner,
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
  opened?: TestDatabase,
): Promise<TestServer> {
  const { database, databaseUrl, dataDirectory, drop } = opened ?? (await openTestDatabase(engine));
  const log: string[] = [];
  const jobs: JobState[] = [];
  const mails: Email[] = [];
  const mailServer: TestServer['mailServer'] = { state: 'none' };
  let errorsExpected = false;
  // Runs last, so that errors that are logged while the server closes count, too.
  atEndOf(owner, () => {
    const errors = errorsIn(log);
    if (!errorsExpected) assert.deepEqual(errors, [], 'the server logged errors');
  });
  atEndOf(owner, drop);
  atEndOf(owner, () => database.close());
  let now = Date.UTC(2026, 10, 21, 9);
  const clock = () => now;
  const shutdown = new AbortController();
  const secretBox = createSecretBox(['the root key of the tests, 32 characters or more']);
  const settings = readSettings({
    ...withoutRequestLimits,
    ATRIUM_DATA_DIR: dataDirectory,
    ...environment,
  });
  const s3Files = await openS3FilesIfWanted(database, settings);
  const app = await createApp({
    settings,
    database,
    clock,
    secretBox,
    workloadIdentity: createWorkloadIdentity(settings, clock),
    resolveTxt: createTxtResolver(settings.dnsServers),
    mailer: createMailer(
      {
        get isConfigured() {
          return mailServer.state !== 'none';
        },
        deliver: async (mail) => {
          mails.push(mail);
          return mailServer.state === 'accepts'
            ? { isSent: true }
            : { isSent: false, reason: 'the mail server refused it with code 451' };
        },
      },
      { database, clock, limits: settings },
    ),
    logger: { level: 'debug', stream: { write: (line: string) => void log.push(line) } },
    version: '0.0.0-test',
    process,
    shutdown: { begun: shutdown.signal, isUrgent: new AbortController().signal },
    sandbox: await testSandbox(),
    ...((settings.metricsPort !== undefined || settings.metricsToken !== undefined) && {
      metrics: createMetrics(clock, {
        version: '0.0.0-test',
        node_version: process.version,
        database: engine,
      }),
    }),
    jobs: () => jobs,
    s3Files,
    ...(settings.backupDirectory !== undefined && { findLastBackup: async () => now }),
  });
  atEndOf(owner, () => app.close());

  const session = (person: Omit<Person, 'token'> & { name: string }, origin: SessionOrigin) =>
    database.write((transaction) => startSession(transaction, clock, person, origin));

  let people = opened?.personCount ?? 0;
  const server: TestServer = {
    app,
    jobs,
    dataDirectory,
    databaseUrl,
    database,
    secretBox,
    s3Files,
    mails,
    mailServer,
    log,
    beginShutdown: () => shutdown.abort(),
    clock,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    call: (line, options = {}) => call(app, line, options),
    async createPerson(name = 'Person') {
      people += 1;
      const email = `${name.toLowerCase().replaceAll(' ', '.')}.${people}@example.com`;
      const user = await database.write((transaction) =>
        createUser(transaction, clock, { email, name, passwordHash: null }),
      );
      const { token } = await session(user, { method: 'operator' });
      return { id: user.id, email, token };
    },
    async createSsoSession(person, organizationId, method = 'sso') {
      const { token, session: created } = await session({ ...person, name: '' }, { method, organizationId });
      if (method === 'sso') {
        const { id: sessionId, createdAt } = created;
        const of = {
          configurationId: firstConfigurationId(organizationId),
          issuer: 'https://issuer.example',
        };
        await database.write((transaction) =>
          insertDirectorySession(transaction, {
            ...of,
            sessionId,
            subject: person.id,
            providerSessionId: null,
            createdAt,
          }),
        );
      }
      return { ...person, token };
    },
    async createOrganization(owner) {
      const organization = await database.write((transaction) =>
        foundOrganization(transaction, clock, owner.id, 'Organization'),
      );
      return organization.id;
    },
    async addMember(organizationId, person, role) {
      const at = new Date(now).toISOString();
      await database.write((transaction) =>
        insertMember(transaction, { organizationId, userId: person.id, role, at, by: null }),
      );
    },
    async createMember(organizationId, role) {
      const person = await server.createPerson(role);
      await server.addMember(organizationId, person, role);
      return person;
    },
    expectErrors: () => {
      errorsExpected = true;
    },
  };
  return server;
}

/** An empty data directory and, for PostgreSQL, an empty database. */
export interface TestPlace {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  /** Removes both. */
  drop(): Promise<void>;
}

/** A place whose database is open and has the schema. */
export interface TestDatabase extends TestPlace {
  readonly database: Database;
  /** How many people `createPerson` has created in it, if it was copied. */
  readonly personCount?: number;
}

type Route = (url: string) => Promise<string>;
const direct: Route = async (url) => url;

/**
 * Creates a place for an engine, empty or with a copy of the database of `template`. `route` can return another address
 * at which to reach a database on PostgreSQL.
 */
export async function createTestPlace(
  engine: Engine,
  route: Route = direct,
  template?: TestPlace,
): Promise<TestPlace> {
  const dataDirectory = makeDataDirectory();
  if (template !== undefined) cpSync(template.dataDirectory, dataDirectory, { recursive: true });
  const server = engine === 'PostgreSQL' ? await createPostgresDatabase(template?.databaseUrl) : undefined;
  const databaseUrl = server && (await route(server.url));
  const drop = async () => {
    await server?.drop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  return { databaseUrl, dataDirectory, drop };
}

/** On a busy machine, a request may need more time than the server gives it, or a test may hold a lock for long. */
const patient: Deadlines = {
  ...requestDeadlines,
  connectMs: 60_000,
  responseMs: 60_000,
  readMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 300_000,
};

/**
 * Opens a new database of an engine, with the schema or with a copy of `template`. `route` can return another address at which
 * to reach it, for tests of faults, in which the deadlines are those of a server.
 */
export async function openTestDatabase(
  engine: Engine,
  route = direct,
  template?: TestPlace,
): Promise<TestDatabase> {
  templates[engine] ??= createTemplate(engine);
  const place = await createTestPlace(engine, route, template ?? (await templates[engine]));
  const database = await openDatabase(place, route === direct ? { deadlines: patient } : {});
  await database.write((transaction) => transaction.execute(`update instance set id = '${randomUUID()}'`));
  return { ...place, database };
}

/** Databases with the schema, which tests copy, since migrating an empty database takes four times as long. */
const templates: Partial<Record<Engine, Promise<TestPlace>>> = {};

async function createTemplate(engine: Engine): Promise<TestPlace> {
  const place = await createTestPlace(engine);
  keepForTests(place);
  const database = await openDatabase(place);
  await database.close();
  return place;
}

/**
 * Returns a place that contains what `fill` has done on a server, for tests to copy.
 */
export async function createFilledTemplate<Content>(
  engine: Engine,
  fill: (server: TestServer) => Promise<Content>,
): Promise<{ readonly place: TestPlace; readonly content: Content }> {
  const works: (() => unknown)[] = [];
  const opened = await openTestDatabase(engine);
  keepForTests(opened);
  try {
    const owner = { after: (work: () => unknown) => void works.push(work) };
    // Kept until the tests end.
    const server = await startTestServer(owner, engine, {}, { ...opened, drop: async () => undefined });
    return { place: opened, content: await fill(server) };
  } finally {
    await endAll(works);
  }
}

/** Removes a place when the tests end. On PostgreSQL, its database ends with the server. */
function keepForTests({ dataDirectory }: TestPlace): void {
  process.once('exit', () => rmSync(dataDirectory, { recursive: true, force: true }));
}

async function call(
  app: FastifyInstance,
  line: string,
  { as, body, headers = {} }: CallOptions,
): Promise<TestResponse> {
  const [method, url] = line.split(' ') as [string, string];
  const gone = new AbortController();
  const followsEvents = headers['accept'] === 'text/event-stream';
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(as && credentialOf(as)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      payload: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    }),
    ...(followsEvents && { payloadAsStream: true, signal: gone.signal }),
  });
  const text = followsEvents ? await readFirstEvent(response) : response.body;
  gone.abort();
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    bytes: followsEvents ? Buffer.alloc(0) : response.rawPayload,
    body:
      text === '' || !/[/+]json/.test(String(response.headers['content-type'])) ? undefined : parseJson(text),
  };
}

/** Returns an endless stream up to the end of its first event, or the whole response if it is not a stream. */
async function readFirstEvent(response: LightMyRequestResponse): Promise<string> {
  const stream = response.stream();
  stream.on('error', () => {});
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (/^data: .*\n\n/m.test(text)) break;
  }
  return text;
}

/** Returns the status, the code and the faults of a response with a problem document. */
export function problemOf({ status, headers, body }: TestResponse): {
  status: number;
  code: string;
  faults?: string[];
} {
  assert.match(String(headers['content-type']), /^application\/problem\+json/);
  const problem = body as Problem;
  assert.equal(problem.status, status);
  const faults = problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
  return { status, code: problem.code, ...(faults && { faults }) };
}
