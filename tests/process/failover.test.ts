import { describe, test } from 'node:test';
import { failOver } from '../faults/failover.ts';

describe('a server whose DATABASE_URL has two hosts', () => {
  test('writes to the standby within three seconds after its promotion, without a restart', async (context) => {
    const { pauseMs, acknowledgedCount } = await failOver(context);
    context.diagnostic(`${Math.round(pauseMs)} ms, ${acknowledgedCount} writes`);
  });
});
