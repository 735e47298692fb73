import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxConnections, readDescriptorLimit } from './connection-limit.ts';

test('connections leave descriptors for workers, files and the database', () => {
  const limits = [20, 96, 256, 1_024, 65_536, 1_048_576];
  assert.deepEqual(
    limits.map((limit) => maxConnections({ limit, openCount: 40 }, 8)),
    [8, 8, 36, 420, 32_676, 524_196],
  );
});

test('the limit of descriptors is read in the system’s format', () => {
  const head = 'Limit                     Soft Limit           Hard Limit           Units     \n';
  assert.equal(
    readDescriptorLimit(`${head}Max open files            1024                 524288               files\n`),
    1024,
  );
  assert.equal(readDescriptorLimit(head), undefined);
});
