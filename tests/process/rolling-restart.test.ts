import { describe, test } from 'node:test';
import { restartAlternately } from '../faults/rolling-restart.ts';

describe('two replicas behind a simple proxy', () => {
  test('are restarted alternately without a failed request', async (context) => {
    const { requestCount } = await restartAlternately(context, 1);
    context.diagnostic(`${requestCount} requests`);
  });
});
