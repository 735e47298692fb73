import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterResponse } from './after-response.ts';
import { createServer } from '../server.ts';

test('work after a response delays closing the server, not the response, and is logged if it fails', async () => {
  const log: string[] = [];
  const server = createServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } },
  });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const happened: string[] = [];
  server.get('/', async (_request, reply) => {
    afterResponse(reply)(async () => {
      await gate;
      happened.push('done');
    });
    afterResponse(reply)(async () => {
      await gate;
      throw new Error('the database is gone');
    });
    return {};
  });
  assert.equal((await server.inject('/')).statusCode, 200);
  assert.equal(happened.length, 0);
  const closed = server.close();
  open();
  await closed;
  assert.deepEqual(happened, ['done']);
  assert.equal(log.length, 1);
  assert.match(log[0] ?? '', /the database is gone.*Work after a response failed/);
});
