import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { lazyLogger } from './request-logger.ts';

test('a lazy logger is created once, at its first use, and logs like the one that it stands for', () => {
  const lines: string[] = [];
  let created = 0;
  const { log } = Fastify({
    logger: { level: 'info', base: null, timestamp: false, stream: { write: (line) => lines.push(line) } },
  });
  const logger = lazyLogger(() => {
    created += 1;
    return log.child({ requestId: 'one' });
  });
  assert.equal(created, 0);
  logger.info({ a: 1 }, 'first %s', 'part');
  logger.debug('nobody reads this');
  logger.level = 'debug';
  logger.debug('second');
  logger.child({ b: 2 }).error('third');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { level: 30, requestId: 'one', a: 1, msg: 'first part' },
      { level: 20, requestId: 'one', msg: 'second' },
      { level: 50, requestId: 'one', b: 2, msg: 'third' },
    ],
  );
  assert.equal(created, 1);
});
