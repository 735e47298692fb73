import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failOver, longestPauseMs } from '../faults/failover.ts';

/** Other tests that run at the same time can delay a promotion by seconds, but hardly each of them. */
const maxRounds = 3;

describe('a server whose DATABASE_URL has two hosts', () => {
  test('writes to the standby within three seconds after its promotion, without a restart', async (context) => {
    const pauses: number[] = [];
    while (pauses.length < maxRounds && !pauses.some((pauseMs) => pauseMs < longestPauseMs)) {
      const { pauseMs, acknowledgedCount } = await failOver(context);
      pauses.push(Math.round(pauseMs));
      context.diagnostic(`${Math.round(pauseMs)} ms, ${acknowledgedCount} writes`);
    }
    assert.ok(Math.min(...pauses) < longestPauseMs, `the first writes took ${pauses.join(', ')} ms`);
  });
});
