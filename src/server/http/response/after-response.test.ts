import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterAnswer } from './after-response.ts';
import { createServer } from '../server.ts';

test('what is done after an answer holds the end of the server, not the answer, and is logged when it fails', async () => {
  const log: string[] = [];
  const server = createServer({
    publicUrl: 'http://localhost',
    trustedProxies: [],
    logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } },
  });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const happened: string[] = [];
  server.get('/', async (_request, reply) => {
    afterAnswer(reply)(async () => {
      await gate;
      happened.push('done');
    });
    afterAnswer(reply)(async () => {
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
  assert.match(log[0] ?? '', /the database is gone.*What was to be done after an answer failed/);
});
