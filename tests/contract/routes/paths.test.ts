import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { startTestServer } from '../../support/server/test-server.ts';
import { assertProblem } from '../problems/assertion.ts';
import { registeredRoutes } from './registered.ts';

describe('under /api', () => {
  test('unknown paths are not found, and invalid ones are malformed requests', async (context) => {
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
      'TRACE /api/dashboards',
      'PROPFIND /api/dashboards',
      'POST /api/openapi.json',
      'POST /api/docs',
      'DELETE /api/organizations//members',
      `DELETE /api/organizations/${'x'.repeat(1_000)}`,
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

  test('a method that a path does not have is not allowed, and OPTIONS lists those it has', async (context) => {
    const server = await startTestServer(context, 'SQLite');
    const as = await server.createPerson();
    const allowed = {
      '/api/dashboards': 'GET, HEAD, POST, OPTIONS',
      '/api/dashboards/x': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      '/api/dashboards/x/results': 'GET, OPTIONS',
      '/api/sso/orgs/x/config': 'GET, HEAD, POST, DELETE, OPTIONS',
      '/api/auth/get-session': 'GET, HEAD, OPTIONS',
      // Another path has a parameter there.
      '/api/organizations/restore': 'POST, OPTIONS',
      '/api/reports/preview': 'POST, OPTIONS',
      '/api/d%61shboards': 'GET, HEAD, POST, OPTIONS',
    };
    for (const [path, allow] of Object.entries(allowed)) {
      const options = await server.call(`OPTIONS ${path}`);
      assert.deepEqual([options.status, options.headers['allow'], options.text], [204, allow, ''], path);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (name) => !allow.includes(name),
      )) {
        for (const sent of [{}, { as }, { as, body: 'x', headers: { 'content-type': 'text/plain' } }]) {
          const response = await server.call(`${method} ${path}`, sent);
          assertProblem(response, 'method_not_allowed', `${method} ${path}`);
          assert.equal(response.headers['allow'], allow);
        }
      }
    }
  });

  test('every response is JSON, except for the page that shows the document', async (context) => {
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
      'GET /api/sso/logout/:configId': 'text/plain',
      'HEAD /api/docs': 'text/html',
      'HEAD /api/docs/viewer.js': 'text/javascript',
    });
  });
});
