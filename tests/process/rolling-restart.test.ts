import { describe, test } from 'node:test';
import { restartInTurn } from '../faults/rolling-restart.ts';

describe('two replicas behind a plain proxy', () => {
  test('are restarted one after the other without a failed request', async (context) => {
    const { requestCount } = await restartInTurn(context, 1);
    context.diagnostic(`${requestCount} requests`);
  });
});
