import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { Compile } from 'typebox/compile';
import { Problem, problems, type ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { newId } from '../../src/server/base/ids.ts';
import { putStar } from '../../src/server/dashboards/dashboard-mark-store.ts';
import { insertDashboard } from '../../src/server/dashboards/dashboard-store.ts';
import { setSsoRequirement } from '../../src/server/organizations/organizations.ts';
import { domainRecord } from '../../src/server/sso/domain-record.ts';
import { vouchForDomain } from '../../src/server/sso/sso-domain-proofs.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import {
  describeOnBothEngines,
  startTestServer,
  type Answer,
  type Person,
  type TestServer,
} from '../support/test-server.ts';

/** What is served beside the operations of the contract: what describes them, and the pages. */
const besideTheContract = [
  'GET /*',
  'GET /api/docs',
  'GET /api/docs/viewer.js',
  'GET /api/openapi.json',
  'HEAD /*',
  'HEAD /api/docs',
  'HEAD /api/docs/viewer.js',
  'HEAD /api/openapi.json',
];

const inFastifyWords = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

describe('the contract', () => {
  test('has every route that the server serves, and no other', async (context) => {
    const served = await registeredRoutes(context);
    const promised = routes.flatMap(({ method, path, status, mediaType }) => {
      // What redirects a browser does something with it, and events have no end: a look alone is not offered.
      const hasHead = method === 'GET' && status !== 302 && mediaType !== 'text/event-stream';
      const methods = hasHead ? ['GET', 'HEAD'] : [method];
      return methods.map((name) => `${name} ${inFastifyWords(path)}`);
    });
    assert.deepEqual(served.toSorted(), [...promised, ...besideTheContract].toSorted());
  });

  test('names each operation once, and each parameter of its path', () => {
    const ids = routes.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), [...new Set(ids)].toSorted());
    for (const { id, path, params } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(params?.properties ?? {}), inPath, id);
    }
  });
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const { status, headers, body } = await server.call('GET /api/openapi.json');
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
    assert.match(body.openapi, /^3\.1\./);
    const validator = new Validator();
    assert.deepEqual(await validator.validate(structuredClone(body)), { valid: true });
    assert.equal(validator.version, '3.1');
    delete body.paths['/api/dashboards'].post.responses;
    body.paths['/api/dashboards'].get.parameters[0].in = 'nowhere';
    assert.equal((await new Validator().validate(body)).valid, false, 'the validator takes anything');
  });

  test('has each operation with its parameters, body, reply and problems', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const { body: document } = await server.call('GET /api/openapi.json');
    const found = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(found.toSorted(), routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    for (const route of routes) {
      const operation = document.paths[route.path][route.method.toLowerCase()];
      assert.deepEqual(
        {
          id: operation.operationId,
          tags: operation.tags,
          summary: operation.summary,
          security: operation.security,
          parameters: (operation.parameters ?? []).map(
            (parameter: { in: string; name: string; required?: boolean }) =>
              `${parameter.in} ${parameter.name} ${parameter.required ?? false}`,
          ),
          body: operation.requestBody && {
            required: operation.requestBody.required,
            types: Object.keys(operation.requestBody.content),
            schema: Object.values<{ schema: unknown }>(operation.requestBody.content)[0]?.schema,
          },
          reply: operation.responses[route.status].content?.[route.mediaType ?? 'application/json'].schema,
          location: operation.responses[route.status].headers?.location?.schema.type,
          codes: codesOf(operation.responses),
        },
        {
          id: route.id,
          tags: [route.tag],
          summary: route.summary,
          security: route.access === 'session' ? [{ session: [] }] : undefined,
          parameters: [
            ...Object.entries(route.query?.properties ?? {}).map(
              ([name]) => `query ${name} ${route.query?.required?.includes(name) ?? false}`,
            ),
            ...Object.keys(route.params?.properties ?? {}).map((name) => `path ${name} true`),
            ...Object.keys(route.headers?.properties ?? {}).map((name) => `header ${name} false`),
          ],
          body: route.upload
            ? { required: true, types: route.upload, schema: { type: 'string', format: 'binary' } }
            : route.body && {
                required: true,
                types:
                  route.method === 'PATCH'
                    ? ['application/json', 'application/merge-patch+json']
                    : ['application/json'],
                schema: inOpenApiWords(route.body),
              },
          reply: route.reply && inOpenApiWords(route.reply),
          location: route.status === 302 ? 'string' : undefined,
          codes: expectedCodes(route),
        },
        route.id,
      );
    }
    assert.deepEqual(document.components.securitySchemes, {
      session: { type: 'apiKey', in: 'cookie', name: 'auth.session_token' },
    });
  });
});

const isProblem = Compile(Problem);
let dns: DnsServer;
before(async () => {
  dns = await startDnsServer();
});
after(() => dns.stop());

async function createDashboard(server: TestServer): Promise<{ as: Person; path: string }> {
  const as = await server.createPerson();
  const { body } = await server.call('POST /api/dashboards', { as, body: { name: 'D' } });
  return { as, path: `/api/dashboards/${body.id}` };
}

/** What takes a source that is slow, large, busy or gone, or is told in a line of a stream, has tests of its own. */
type TestedElsewhere =
  | 'unavailable'
  | 'queries_busy'
  | 'query_timed_out'
  | 'query_too_large'
  | 'report_deleted'
  | 'source_unreachable'
  | 'too_many_tables';

/** Makes a data source, and a report over it that a dashboard shows. */
async function createReport(
  server: TestServer,
): Promise<{ as: Person; organizationId: string; dataSourceId: string; reportId: string }> {
  const as = await server.createPerson();
  const organizationId = await server.createOrganization(as);
  const source = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as,
    body: { name: 'S', kind: 'files' },
  });
  const dataSourceId = source.body.id;
  const report = await server.call('POST /api/reports', {
    as,
    body: { organizationId, dataSourceId, name: 'R', query: 'select 1' },
  });
  const widgets = [{ reportId: report.body.id }];
  await server.call('POST /api/dashboards', { as, body: { name: 'D', organizationId, widgets } });
  return { as, organizationId, dataSourceId, reportId: report.body.id };
}

/** How to make the server answer with each code, the last one for good. */
const provocations: Readonly<
  Record<Exclude<ProblemCode, TestedElsewhere>, (server: TestServer) => Promise<Answer>>
> = {
  malformed_json: async (server) =>
    server.call('POST /api/dashboards', { as: await server.createPerson(), body: '{"name":' }),
  invalid_body: async (server) =>
    server.call('POST /api/dashboards', { as: await server.createPerson(), body: {} }),
  invalid_parameters: async (server) =>
    server.call('GET /api/dashboards?limit=0', { as: await server.createPerson() }),
  malformed_request: (server) => server.call('GET /api/%zz'),
  unauthenticated: (server) => server.call('GET /api/dashboards'),
  invalid_credentials: (server) =>
    server.call('POST /api/auth/sign-in/email', { body: { email: 'nobody@example.com', password: 'x' } }),
  forbidden: async (server) => {
    const organizationId = await server.createOrganization(await server.createPerson());
    const as = await server.createMember(organizationId, 'viewer');
    return server.call('POST /api/dashboards', { as, body: { name: 'D', organizationId } });
  },
  cross_site_request: (server) =>
    server.call('POST /api/auth/sign-out', { headers: { origin: 'https://evil.example' } }),
  not_found: (server) => server.call('GET /api/nothing'),
  link_not_valid: (server) => server.call('POST /api/invitations/read', { body: { token: 'x' } }),
  already_member: async (server) => {
    const as = await server.createPerson();
    const path = `/api/organizations/${await server.createOrganization(as)}/invitations`;
    return server.call(`POST ${path}`, { as, body: { email: as.email, role: 'viewer' } });
  },
  account_exists: async (server) => {
    const [as, bob] = [await server.createPerson(), await server.createPerson('Bob')];
    const path = `/api/organizations/${await server.createOrganization(as)}/invitations`;
    const { body } = await server.call(`POST ${path}`, { as, body: { email: bob.email, role: 'viewer' } });
    return server.call('POST /api/invitations/sign-up', {
      body: { token: body.link.split('#')[1], name: 'Bob', password: 'correct horse battery' },
    });
  },
  sign_in_expired: (server) => server.call('GET /api/sso/callback/x?state=y&code=z'),
  sign_in_refused: async (server) => {
    const { organizationId } = await configure(server, 'unproven.example');
    return server.call(`GET /api/sso/start/${organizationId}`);
  },
  sso_required: async (server) => {
    const as = await server.createPerson();
    const organizationId = await server.createOrganization(as);
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    return server.call(`GET /api/organizations/${organizationId}`, { as });
  },
  sso_not_ready: async (server) => {
    const { as, organizationId } = await configure(server, 'contoso.example');
    const body = { requireSso: true, defaultRole: 'viewer', roleMappings: [] };
    return server.call(`PUT /api/sso/orgs/${organizationId}/policy`, { as, body });
  },
  domain_not_proven: async (server) => {
    const { as, organizationId } = await configure(server, 'gmail.com');
    return server.call(`POST /api/sso/orgs/${organizationId}/domains/gmail.com/verify`, { as });
  },
  domain_taken: async (server) => {
    const domain = 'taken.example';
    const { organizationId: first } = await configure(server, domain);
    await vouchForDomain(server.database, Date.now, { organizationId: first, domain });
    const { as, organizationId } = await configure(server, domain);
    const { name, value } = domainRecord(organizationId, domain);
    dns.publish(name, value);
    return server.call(`POST /api/sso/orgs/${organizationId}/domains/${domain}/verify`, { as });
  },
  too_many_stars: async (server) => {
    const { as, path } = await createDashboard(server);
    await starMany(server, as, 1000);
    return server.call(`PUT ${path}/star`, { as });
  },
  data_source_in_use: async (server) => {
    const { as, dataSourceId } = await createReport(server);
    return server.call(`DELETE /api/data-sources/${dataSourceId}`, { as });
  },
  sample_exists: async (server) => {
    const as = await server.createPerson();
    const path = `/api/organizations/${await server.createOrganization(as)}`;
    await server.call(`POST ${path}/data-sources`, { as, body: { name: 'Sample data', kind: 'files' } });
    return server.call(`POST ${path}/sample`, { as });
  },
  report_in_use: async (server) => {
    const { as, reportId } = await createReport(server);
    return server.call(`DELETE /api/reports/${reportId}`, { as });
  },
  query_failed: async (server) => {
    const { as, organizationId, dataSourceId } = await createReport(server);
    const body = { organizationId, dataSourceId, query: 'selec 1' };
    return server.call('POST /api/reports/preview', { as, body });
  },
  unreadable_file: async (server) => {
    const { as, dataSourceId } = await createReport(server);
    return server.call(`PUT /api/data-sources/${dataSourceId}/tables/t`, {
      as,
      body: 'no parquet',
      headers: { 'content-type': 'application/vnd.apache.parquet' },
    });
  },
  last_owner: async (server) => {
    const as = await server.createPerson();
    return server.call(`DELETE /api/organizations/${await server.createOrganization(as)}/members/${as.id}`, {
      as,
    });
  },
  personal_dashboard: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`POST ${path}/transfer`, { as, body: { userId: as.id } });
  },
  edit_conflict: async (server) => {
    const { as, path } = await createDashboard(server);
    await server.call(`PATCH ${path}`, { as, body: { name: 'theirs' }, headers: { 'if-match': '"1"' } });
    return server.call(`PATCH ${path}`, { as, body: { name: 'mine' }, headers: { 'if-match': '"1"' } });
  },
  unknown_version: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`PATCH ${path}`, { as, body: { name: 'E' }, headers: { 'if-match': '"2"' } });
  },
  precondition_required: async (server) => {
    const { as, path } = await createDashboard(server);
    return server.call(`PATCH ${path}`, { as, body: { name: 'E' } });
  },
  too_many_streams: async (server) => {
    const { as, path } = await createDashboard(server);
    const headers = { cookie: `auth.session_token=${as.token}` };
    const open = () => server.app.inject({ url: `${path}/events`, headers, payloadAsStream: true });
    await Promise.all(Array.from({ length: 20 }, open));
    return server.call(`GET ${path}/events`, { as, headers: { accept: 'text/event-stream' } });
  },
  body_too_large: async (server) =>
    server.call('POST /api/dashboards', { as: await server.createPerson(), body: 'x'.repeat(1_048_577) }),
  unsupported_media_type: async (server) =>
    server.call('POST /api/dashboards', {
      as: await server.createPerson(),
      body: 'name=D',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  too_many_attempts: async (server) => {
    const attempt = () =>
      server.call('POST /api/auth/sign-in/email', { body: { email: 'bob@example.com', password: 'x' } });
    for (let attempts = 0; attempts < 10; attempts += 1) await attempt();
    return attempt();
  },
  headers_too_large: async (server) => {
    const send = await listen(server);
    return toAnswer(
      await send(`GET /api/dashboards HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    );
  },
  internal: async (server) => {
    server.expectErrors();
    const as = await server.createPerson();
    await server.database.write((transaction) =>
      transaction.execute('alter table dashboards rename to elsewhere'),
    );
    return server.call('GET /api/dashboards', { as });
  },
};

/** Makes so many dashboards of a person, and stars each. */
async function starMany(server: TestServer, { id: userId }: Person, count: number): Promise<void> {
  await server.database.write(async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const id = newId();
      const summary = { id, userId, name: 'D', createdAt: '', updatedAt: '' };
      const version = {
        version: 1,
        change: 'created' as const,
        restoredFrom: undefined,
        saveHash: undefined,
      };
      await insertDashboard(transaction, { summary, widgetsJson: '[]', updatedBy: userId, ...version });
      await putStar(transaction, { userId, dashboardId: id, at: '' });
    }
  });
}

/** Founds an organization with a configuration that names a domain. */
async function configure(
  server: TestServer,
  domain: string,
): Promise<{ as: Person; organizationId: string }> {
  const as = await server.createPerson();
  const organizationId = await server.createOrganization(as);
  const body = { provider: 'idp_ad', clientId: 'client', emailDomains: [domain], enabled: true };
  const { status } = await server.call(`POST /api/sso/orgs/${organizationId}/config`, { as, body });
  assert.equal(status, 200);
  return { as, organizationId };
}

describeOnBothEngines('a problem', (engine) => {
  test('of every code is told as the contract says', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_DNS_SERVERS: dns.address });
    for (const [code, provoke] of Object.entries(provocations)) {
      assertProblem(await provoke(server), code as ProblemCode);
    }
  });

  test('unavailable is what a server says that is about to stop', async (context) => {
    const server = await startTestServer(context, engine);
    server.expectErrors();
    const as = await server.createPerson();
    const send = await listen(server);
    const body = JSON.stringify({ name: 'D' });
    const answers = await send(
      `POST /api/dashboards HTTP/1.1\r\nHost: x\r\nCookie: auth.session_token=${as.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      async (write) => {
        await once(server.app.server, 'request');
        const closed = server.app.close();
        write(`${body.slice(5)}GET /api/health/ready HTTP/1.1\r\nHost: x\r\n\r\n`);
        await closed;
      },
    );
    const [created = '', ready = ''] = answers.split(/(?<=\})(?=HTTP)/);
    assert.equal(toAnswer(created).status, 201, 'what was under way is finished');
    assertProblem(toAnswer(ready), 'unavailable');
  });
});

describe('under /api', () => {
  test('unknown paths and methods are a 404, and paths that are none a 400', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const unknown = [
      'GET /api',
      'GET /api/',
      'GET /api/nothing',
      'GET /api/organizations/x/members/',
      'GET /api/Dashboards',
      'GET /api/dashboards/x/widgets',
      'GET /api/index.html',
      'GET /api/..%2findex.html',
      'GET /api/docs/',
      'GET /api/docs/js/scalar.js',
      'GET /api/openapi.yaml',
      'GET /api/set-up.html',
      'GET /api/sso/orgs/x/config/x',
      `GET /api/${'x'.repeat(1_000)}`,
      'POST /api/nothing',
      'PUT /api/dashboards',
      'PATCH /api/dashboards',
      'DELETE /api/dashboards',
      'OPTIONS /api/dashboards',
      'TRACE /api/dashboards',
      'PROPFIND /api/dashboards',
      'POST /api/openapi.json',
      'POST /api/docs',
      'POST /',
    ];
    const malformed = [
      'GET /api/%',
      'GET /api/%zz',
      'GET /api/dashboards/%',
      'GET /api/%c3%28',
      'GET /%ff',
      'GET /api//',
      'GET /api/.%00/index.html',
    ];
    for (const line of [...unknown, ...malformed]) {
      const code = malformed.includes(line) ? 'malformed_request' : 'not_found';
      assertProblem(await server.call(line), code, line);
    }
  });

  test('what Node refuses of a raw request is a problem too', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const send = await listen(server);
    const head = 'Host: x\r\nConnection: close\r\n';
    const post = `POST /api/auth/sign-in/email HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
    const tried: Record<string, ProblemCode> = {
      'nonsense\r\n\r\n': 'malformed_request',
      '{"name":"D"}\r\n\r\n': 'malformed_request',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n': 'malformed_request',
      [`BREW /api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/dashboards HTTP/9.9\r\n${head}\r\n`]: 'malformed_request',
      [`GET api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      'GET /api/dashboards HTTP/1.1\r\nConnection: close\r\n\r\n': 'malformed_request',
      'GET /api/dashboards HTTP/1.1\r\nConnection: close\r\nHost x\r\n\r\n': 'malformed_request',
      [`GET /api/dash\x01 HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/\xe9 HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/% HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/%zz HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET //evil.example/api HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/x HTTP/1.1\r\n${head}X: a\x00b\r\n\r\n`]: 'malformed_request',
      [`GET /api/x HTTP/1.1\r\n${head}A Header: 1\r\n\r\n`]: 'malformed_request',
      [`GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\n${head}\r\n`]: 'headers_too_large',
      [`GET /api/x HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`]: 'headers_too_large',
      [`${post}Content-Length: two\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`]: 'malformed_request',
      [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]: 'malformed_request',
      [`${post}Transfer-Encoding: gzip\r\n\r\n{}`]: 'malformed_request',
      [`${post}Content-Length: 2000000\r\n\r\n{}`]: 'body_too_large',
      [`${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`]: 'invalid_body',
      [`GET /api/../index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/%2e%2e/index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/docs/../../index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`GET /api/..\\index.html HTTP/1.1\r\n${head}\r\n`]: 'malformed_request',
      [`OPTIONS * HTTP/1.1\r\n${head}\r\n`]: 'not_found',
      [`MKCOL /api/dashboards HTTP/1.1\r\n${head}\r\n`]: 'not_found',
      [`GET /api/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`]:
        'not_found',
    };
    for (const [request, code] of Object.entries(tried)) {
      const answer = toAnswer(await send(request));
      assertProblem(answer, code, JSON.stringify(request));
    }
  });

  test('a client that goes away while it sends a body is no fault of the server', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const send = await listen(server);
    const post = 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    await send(`${post}Content-Length: 20\r\n\r\n{"email"`, async (_write, leave) => {
      const [, response] = await once(server.app.server, 'request');
      leave();
      await once(response, 'close');
    });
    await server.app.close();
    const lines = server.log.map((line): { msg: string; level: number } => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ level }) => level >= 40),
      [],
    );
  });

  test('every answer is JSON, but for the page that shows the document', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const served = await registeredRoutes(context);
    const types: Record<string, string> = {};
    for (const route of served.filter((line) => line.includes(' /api/'))) {
      const { headers } = await server.call(route.replaceAll(/:\w+/g, crypto.randomUUID()));
      types[route] = String(headers['content-type']).replace('; charset=utf-8', '');
    }
    assert.ok(Object.keys(types).length > routes.length);
    const others = Object.entries(types).filter(([, type]) => !/^application\/(problem\+)?json$/.test(type));
    assert.deepEqual(Object.fromEntries(others), {
      'GET /api/docs': 'text/html',
      'GET /api/docs/viewer.js': 'text/javascript',
      'HEAD /api/docs': 'text/html',
      'HEAD /api/docs/viewer.js': 'text/javascript',
    });
  });
});

/** The documents of problems that have members of their own. */
const ownReplies = Map.groupBy(
  routes.flatMap(({ problemReplies = {} }) => Object.entries(problemReplies)),
  ([code]) => code,
);

/** Asserts that an answer is the problem document of a code, whole, with what keeps browsers from running it. */
function assertProblem({ status, headers, body }: Answer, code: ProblemCode, line: string = code): void {
  const what = line.slice(0, 200);
  const { title, status: expectedStatus } = problems[code];
  assert.deepEqual(
    { status, code: body?.code, type: headers['content-type'], sniff: headers['x-content-type-options'] },
    { status: expectedStatus, code, type: 'application/problem+json; charset=utf-8', sniff: 'nosniff' },
    what,
  );
  assert.ok(isProblem.Check(body), what);
  const {
    detail,
    requestId,
    errors,
    type,
    title: shownTitle,
    status: shownStatus,
    code: shownCode,
    ...rest
  } = body;
  assert.deepEqual(
    { type, title: shownTitle, status: shownStatus, code: shownCode },
    { type: `urn:atrium:problem:${code}`, title, status, code },
    what,
  );
  const own = ownReplies.get(code);
  if (own === undefined) assert.deepEqual(rest, {}, what);
  else
    assert.ok(
      own.some(([, schema]) => Compile(schema).Check(body)),
      what,
    );
  assert.ok(detail.length > 0, what);
  assert.match(requestId, /^[0-9a-f-]{36}$/, what);
  assert.equal(errors !== undefined, code === 'invalid_body' || code === 'invalid_parameters', what);
}

/** What any operation of its kind can answer, and what the route itself names. */
function expectedCodes({
  access,
  method,
  path,
  params,
  body,
  upload,
  query,
  problems: own = [],
}: Route): string[] {
  const hasPattern = Object.values(params?.properties ?? {}).some((param) => 'pattern' in param);
  const isOfOrganization = own.includes('not_found') && !path.startsWith('/api/auth/');
  return [
    ...(access === 'session' ? ['unauthenticated'] : []),
    ...(access === 'session' && isOfOrganization ? ['sso_required'] : []),
    ...(method === 'GET' ? [] : ['cross_site_request']),
    ...(body ? ['malformed_json', 'invalid_body', 'body_too_large', 'unsupported_media_type'] : []),
    ...new Set([
      'internal',
      'unavailable',
      ...(upload ? ['body_too_large', 'malformed_request', 'unsupported_media_type'] : []),
      ...(query || hasPattern ? ['invalid_parameters'] : []),
      ...own,
    ]),
  ].toSorted();
}

/** The problem codes that an operation's responses describe, each under the status of its code. */
function codesOf(
  responses: Record<string, { description: string; content?: Record<string, unknown> }>,
): string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description, content }]) => {
      assert.deepEqual(Object.keys(content ?? {}), ['application/problem+json']);
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code as ProblemCode);
      for (const code of codes) assert.equal(String(problems[code].status), status, code);
      return codes;
    })
    .toSorted();
}

/** A schema as the document writes it: a constant is the only value of an enumeration. */
function inOpenApiWords(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('const' in value)) return value;
      const { const: only, ...rest } = value;
      return { ...rest, enum: [only] };
    }),
  );
}

/** Every route that the server registers, as `GET /api/organizations/:orgId`. */
async function registeredRoutes(context: TestContext): Promise<string[]> {
  const seen: string[] = [];
  const listenToRoutes = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      seen.push(...[method].flat().map((name) => `${name} ${url}`));
    });
  };
  subscribe('fastify.initialization', listenToRoutes);
  try {
    await startTestServer(context, 'SQLite');
  } finally {
    unsubscribe('fastify.initialization', listenToRoutes);
  }
  assert.ok(seen.length > 0);
  return seen;
}

type Send = (
  request: string,
  goOn?: (write: (text: string) => void, leave: () => void) => Promise<void>,
) => Promise<string>;

/** Opens the server's socket. Returns what sends raw bytes, one a character, and resolves to all that comes back. */
async function listen({ app }: TestServer): Promise<Send> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (request, goOn) =>
    new Promise((resolve, reject) => {
      let received = '';
      const socket = connect(port, '127.0.0.1');
      socket.setTimeout(5_000, () => reject(new Error(`no end of an answer to ${request}: ${received}`)));
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      socket.on('error', reject);
      const goingOn = goOn?.(
        (text) => socket.write(text, 'latin1'),
        () => socket.destroy(),
      );
      socket.on('close', () => resolve(Promise.resolve(goingOn).then(() => received)));
      socket.write(request, 'latin1');
    });
}

/** Reads one HTTP answer. */
function toAnswer(received: string): Answer {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const isJson = /json/.test(headers['content-type'] ?? '');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
