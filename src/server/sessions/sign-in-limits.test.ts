import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSignInLimits, limitExchanges } from './sign-in-limits.ts';

describe('codes exchanged for an organization', () => {
  const fails = () => Promise.reject(new Error('not accepted'));
  const succeeds = () => Promise.resolve('claims');

  test('are limited when they are in vain, for it alone', async () => {
    const limits = createSignInLimits();
    for (let count = 0; count < 600; count += 1) {
      await assert.rejects(limitExchanges(limits, 'one', fails), /not accepted/);
    }
    await assert.rejects(limitExchanges(limits, 'one', succeeds), { code: 'too_many_attempts' });
    assert.equal(await limitExchanges(limits, 'other', succeeds), 'claims');
  });

  test('are not limited when people come in', async () => {
    const limits = createSignInLimits();
    for (let count = 0; count < 2_000; count += 1) {
      assert.equal(await limitExchanges(limits, 'one', succeeds), 'claims');
    }
  });
});
