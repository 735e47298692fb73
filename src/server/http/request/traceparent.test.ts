import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test('traceparent is read only if it is valid', () => {
  const read = { traceId, spanId, flags: 1 };
  const cases: readonly [header: string | string[] | undefined, result: unknown][] = [
    [`00-${traceId}-${spanId}-01`, read],
    [`00-${traceId}-${spanId}-00`, { ...read, flags: 0 }],
    [`01-${traceId}-${spanId}-01`, read],
    [`01-${traceId}-${spanId}-01-what-a-later-version-adds`, read],
    [undefined, undefined],
    ['', undefined],
    [[`00-${traceId}-${spanId}-01`], undefined],
    [`00-${traceId}-${spanId}-01-more`, undefined],
    [`01-${traceId}-${spanId}-01more`, undefined],
    [`ff-${traceId}-${spanId}-01`, undefined],
    [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
    [`00-${'0'.repeat(32)}-${spanId}-01`, undefined],
    [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    [`00-${traceId}-${spanId}-1`, undefined],
    [`00-${traceId}-${spanId}`, undefined],
    [` 00-${traceId}-${spanId}-01`, undefined],
    [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, undefined],
    [`00-${traceId}-${spanId}-01\n`, undefined],
    [`01-${traceId}-${spanId}-01-${'x'.repeat(1_000_000)}`, undefined],
  ];
  for (const [header, result] of cases)
    assert.deepEqual(readTraceparent(header), result, String(header).slice(0, 200));
});
