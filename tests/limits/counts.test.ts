import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { createToken } from '../support/credentials/tokens.ts';
import { startNewsroom } from '../support/reports/newsroom.ts';
import {
  startTestServer,
  type CallOptions,
  type TestResponse,
  type TestServer,
} from '../support/server/test-server.ts';
import { hotOperations, limits, type Cost } from './limits.ts';

/** Counts the statements on SQLite until the test ends. Returns a function that returns those since its last call. */
function countStatements(context: TestContext): () => Pick<Cost, 'queries' | 'values'> {
  const count = { queries: 0, values: 0 };
  for (const method of ['get', 'all', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[method] as (...values: unknown[]) => unknown;
    context.mock.method(
      StatementSync.prototype,
      method,
      function (this: StatementSync, ...values: unknown[]) {
        // Costs nothing, and is once in a turn of the event loop, however many requests there are.
        if (this.sourceSQL !== 'pragma data_version') count.queries += 1;
        count.values += values.length;
        return original.apply(this, values);
      },
    );
  }
  return () => {
    const since = { ...count };
    count.queries = 0;
    count.values = 0;
    return since;
  };
}

const headerBytesOf = ({ headers }: TestResponse): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + `${name}: ${String(value)}\r\n`.length, 0);

describe('a request of a hot operation', () => {
  /** Sends a request a third time, when everything that is prepared once is there, and returns what it costs. */
  async function costOf(
    server: TestServer,
    since: ReturnType<typeof countStatements>,
    line: string,
    optionsOf: () => CallOptions,
  ): Promise<Cost> {
    await server.call(line, optionsOf());
    // After what the first use of a token writes.
    await server.database.write(async () => undefined);
    await server.call(line, optionsOf());
    since();
    const response = await server.call(line, optionsOf());
    const cost = { ...since(), headerBytes: headerBytesOf(response) };
    assert.ok(response.status < 300, response.text);
    return cost;
  }

  test('costs no more queries, bound values and bytes of headers than it did', async (context) => {
    const { server, owner: ada, organizationId, save } = await startNewsroom(context, 'SQLite');
    const report = await save({ query: 'SELECT 1', cacheSeconds: 3_600 });
    const { token } = await createToken(server, ada, { organizationId });
    const widget = { reportId: report.id, layout: { x: 0, y: 0, w: 6, h: 4 }, config: { title: 'Sales' } };
    const input = { name: 'Sales', organizationId, widgets: [widget, { ...widget, config: {} }, widget] };
    const { body: dashboard } = await server.call('POST /api/dashboards', { as: ada, body: input });
    const since = countStatements(context);
    const by =
      (as = ada) =>
      () => ({ as });
    /** Each changes another widget of the first version, so that the second is merged. */
    let changed = -1;
    const merged = () => {
      changed += 1;
      const widgets = dashboard.widgets.map((each: object, index: number) =>
        index === changed ? { ...each, config: { title: 'Changed' } } : each,
      );
      return { as: ada, headers: { 'if-match': '"1"' }, body: { name: 'Sales', widgets } };
    };
    const path = `/api/dashboards/${dashboard.id}`;
    const measured: Record<keyof typeof hotOperations, Cost> = {
      'get-session': await costOf(server, since, 'GET /api/auth/get-session', by()),
      'read a dashboard': await costOf(server, since, `GET ${path}`, by()),
      'read a dashboard by token': await costOf(
        server,
        since,
        `GET ${path}`,
        by({ ...ada, token, isBearer: true }),
      ),
      'list 20 dashboards': await costOf(server, since, 'GET /api/dashboards?limit=20', by()),
      'cached result': await costOf(server, since, `POST /api/reports/${report.id}/run`, () => ({
        as: ada,
        body: {},
      })),
      'create a dashboard': await costOf(server, since, 'POST /api/dashboards', () => ({
        as: ada,
        body: input,
      })),
      'save with merge': await costOf(server, since, `PUT ${path}`, merged),
    };
    assert.deepEqual(measured, hotOperations);
  });
});

test('the OpenAPI document is no larger than its limit', async (context) => {
  const server = await startTestServer(context, 'SQLite');
  const { bytes } = await server.call('GET /api/openapi.json');
  assert.ok(bytes.length > 100_000 && bytes.length <= limits.openApiBytes.most, `${bytes.length} bytes`);
});
