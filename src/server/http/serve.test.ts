import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { defineRoute } from '#contract/route.ts';
import { createServe } from './serve.ts';
import { createServer } from './server.ts';

const echo = defineRoute({
  id: 'echo',
  tag: 'Server',
  summary: 'Return what the handler was given',
  method: 'POST',
  path: '/api/echo',
  access: 'public',
  query: Type.Object({ page: Type.Optional(Type.String()) }),
  body: Type.Object({ name: Type.String(), config: Type.Object({}) }),
  status: 200,
  reply: Type.Object({ text: Type.String() }),
});

test('a handler gets only the members of a query and a body that the contract declares', async (context) => {
  const server = createServer({ publicUrl: 'http://localhost', trustedProxies: [], logger: false });
  context.after(() => server.close());
  const serve = createServe(server, async () => undefined);
  serve(echo, async ({ query, body }) => ({ text: JSON.stringify([query, body]) }));
  const { statusCode, body } = await server.inject({
    method: 'POST',
    url: '/api/echo?page=2&address=192.0.2.1',
    payload: { name: 'Ada', address: '192.0.2.1', constructor: 1, config: { address: 'stays' } },
  });
  assert.equal(statusCode, 200, body);
  assert.deepEqual(JSON.parse(JSON.parse(body).text), [
    { page: '2' },
    { name: 'Ada', config: { address: 'stays' } },
  ]);
});
