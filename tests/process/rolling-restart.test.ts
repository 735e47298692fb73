import { describe, test } from 'node:test';
import { restartInTurn } from '../faults/rolling-restart.ts';

describe('two replicas behind a plain proxy', () => {
  test('are restarted in turn without a failed request', async (context) => {
    const { requestCount } = await restartInTurn(context, 1);
    context.diagnostic(`${requestCount} requests`);
  });
});
