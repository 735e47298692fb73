import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { startTestServer } from '../../support/server/test-server.ts';
import { assertProblem } from '../problems/assertion.ts';
import { registeredRoutes } from './registered.ts';

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
