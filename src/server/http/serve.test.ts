import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { defineRoute } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { FreeForm } from '#contract/values.ts';
import { createServe } from './serve.ts';
import { createServer } from './server.ts';

const base = {
  id: 'echo',
  tag: 'Server',
  summary: 'Return what the handler was given',
  method: 'POST',
  access: 'public',
  status: 200,
  reply: Type.Object({ text: Type.String() }),
} as const;
const operation = {
  ...base,
  query: Type.Object({ page: Type.Optional(Type.String()) }),
  body: Type.Object({
    name: Type.String(),
    config: Type.Optional(FreeForm),
    layout: Type.Optional(Type.Object({ x: Type.Integer() })),
    chart: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal('bar'), bars: Type.Integer() }),
        Type.Object({ kind: Type.Literal('line'), lines: Type.Integer() }),
      ]),
    ),
    filters: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Integer())),
  }),
} as const;
const echo = defineRoute({ ...operation, path: '/api/echo' });
const lenient = defineRoute({ ...operation, path: '/api/lenient', ignoresUnknown: 'RFC 0, section 0' });
const bare = defineRoute({ ...base, path: '/api/bare' });

test('every unknown member and query parameter is refused by its name, at every depth', async (context) => {
  const send = await startEcho(context);
  const payload = {
    name: 'Ada',
    address: '192.0.2.1',
    constructor: 1,
    'a/b': 1,
    config: { address: 'stays' },
    layout: { x: 1, z: 2 },
    chart: { kind: 'line', lines: 1, bars: 2 },
    filters: { a: 1, B: 2 },
  };
  const unknown = { code: 'unknown', message: 'is not a known member' };
  assert.deepEqual(await send('/api/echo', payload), {
    status: 400,
    code: 'invalid_body',
    errors: ['/layout/z', '/chart/bars', '/filters/B', '/address', '/constructor', '/a~1b'].map(
      (pointer) => ({ pointer, ...unknown }),
    ),
  });
  assert.deepEqual(await send('/api/echo?page=2&adress=192.0.2.1', { name: 'Ada' }), {
    status: 400,
    code: 'invalid_parameters',
    errors: [{ pointer: '/adress', ...unknown }],
  });
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, 1]));
  assert.equal((await send('/api/echo', { name: 'Ada', ...many })).errors?.length, 100);
  assert.deepEqual(await send('/api/bare?page=2', {}), {
    status: 400,
    code: 'invalid_parameters',
    errors: [{ pointer: '/page', ...unknown }],
  });
  assert.deepEqual(await send('/api/bare', { name: 'Ada' }), {
    status: 400,
    code: 'invalid_body',
    errors: [{ pointer: '/name', ...unknown }],
  });
  assert.equal((await send('/api/bare', {})).status, 200);
  assert.equal((await send('/api/bare')).status, 200);
});

test('the handler of an operation that ignores unknown members gets none of them', async (context) => {
  const send = await startEcho(context);
  const { status, text = '' } = await send('/api/lenient?page=2&address=192.0.2.1', {
    name: 'Ada',
    address: '192.0.2.1',
    constructor: 1,
    config: { address: 'stays' },
  });
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(text), [{ page: '2' }, { name: 'Ada', config: { address: 'stays' } }]);
});

test('only operations with a published contract or an RFC ignore unknown members', () => {
  assert.deepEqual(
    routes.flatMap(({ id, ignoresUnknown }) =>
      ignoresUnknown === undefined ? [] : [`${id}: ${ignoresUnknown}`],
    ),
    [
      'createOrUpdateSsoConfiguration: Clients of the published contract of this operation may send more',
      'startSso: OpenID Connect Core 1.0, section 4',
      'completeSso: RFC 6749, section 4.1.2',
      'createDashboard: Clients of the published contract of this operation may send more',
    ],
  );
});

interface Response {
  readonly status: number;
  readonly code?: string;
  readonly errors?: readonly object[];
  readonly text?: string;
}

/** Serves the operations, and returns a function that sends a request. */
async function startEcho(
  context: TestContext,
): Promise<(url: string, payload?: object) => Promise<Response>> {
  const server = createServer({ publicUrl: 'http://localhost', trustedProxies: [], logger: false });
  context.after(() => server.close());
  const serve = createServe(server, async () => undefined);
  serve(echo, async ({ query, body }) => ({ text: JSON.stringify([query, body]) }));
  serve(lenient, async ({ query, body }) => ({ text: JSON.stringify([query, body]) }));
  serve(bare, async () => ({ text: '' }));
  return async (url, payload) => {
    const response = await server.inject({ method: 'POST', url, ...(payload && { payload }) });
    const { code, errors, text } = response.json();
    return {
      status: response.statusCode,
      ...(code !== undefined && { code, errors }),
      ...(text !== undefined && { text }),
    };
  };
}
