import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { openTestDatabase } from '../../../tests/support/server/test-server.ts';
import { createAttemptCounts } from './attempt-counts.ts';
import {
  createSignInLimits,
  limitAttempts,
  limitCodes,
  limitExchanges,
  type SignInLimits,
} from './sign-in-limits.ts';

const fails = () => Promise.reject(new Error('not accepted'));
const succeeds = () => Promise.resolve('claims');
const tooMany = { code: 'too_many_attempts' };

describe('codes exchanged for an organization', () => {
  const from = (address: string, organizationId = 'one') => ({ organizationId, address });
  const addressOf = (count: number) => `198.51.100.${count % 10}`;

  test('are limited if they fail, only for that organization', async (context) => {
    const limits = await openLimits(context);
    for (let count = 0; count < 600; count += 1) {
      await assert.rejects(limitExchanges(limits, from(addressOf(count)), fails), /not accepted/);
    }
    await assert.rejects(limitExchanges(limits, from(addressOf(0)), succeeds), tooMany);
    assert.equal(await limitExchanges(limits, from(addressOf(0), 'other'), succeeds), 'claims');
  });

  test('are not limited for people from other sites than those with failures', async (context) => {
    const limits = await openLimits(context);
    for (let count = 0; count < 700; count += 1) {
      await limitExchanges(limits, from(addressOf(count)), fails).catch(() => undefined);
      await limitExchanges(limits, from(`2001:db8:1:${count}::1`), fails).catch(() => undefined);
    }
    for (let count = 0; count < 50; count += 1) {
      assert.equal(await limitExchanges(limits, from('203.0.113.7'), succeeds), 'claims');
      assert.equal(await limitExchanges(limits, from('2001:db8:2:1::1'), succeeds), 'claims');
    }
    // A site has at least 2^16 networks, which count as one.
    await assert.rejects(limitExchanges(limits, from('2001:db8:1:ffff::1'), succeeds), tooMany);
  });

  test('are not limited if people sign in successfully', async (context) => {
    const limits = await openLimits(context);
    for (let count = 0; count < 2_000; count += 1) {
      assert.equal(await limitExchanges(limits, from(addressOf(0)), succeeds), 'claims');
    }
  });
});

describe('recovery codes', () => {
  const email = 'ada@example.com';

  test('are not limited by other people’s attempts on the account', async (context) => {
    const limits = await openLimits(context);
    for (let count = 0; count < 110; count += 1) {
      const number = count % 11;
      await limitAttempts(limits, { email, address: `198.51.100.${number}` }, fails).catch(() => undefined);
      await limitCodes(limits, { email, address: `192.0.2.${number}` }, fails).catch(() => undefined);
    }
    const elsewhere = { email, address: '203.0.113.7' };
    await assert.rejects(limitAttempts(limits, elsewhere, succeeds), tooMany);
    assert.equal(await limitCodes(limits, elsewhere, succeeds), 'claims');
  });

  test('are limited by address, and by address and account', async (context) => {
    const limits = await openLimits(context);
    const address = '203.0.113.7';
    for (let count = 0; count < 10; count += 1) {
      await assert.rejects(limitCodes(limits, { email, address }, fails), /not accepted/);
    }
    await assert.rejects(limitCodes(limits, { email, address }, succeeds), tooMany);
    for (let count = 10; count < 100; count += 1) {
      const other = { email: `${count}@example.com`, address };
      await assert.rejects(limitCodes(limits, other, fails), /not accepted/);
    }
    await assert.rejects(limitCodes(limits, { email: 'bob@example.com', address }, succeeds), tooMany);
  });
});

async function openLimits(context: TestContext): Promise<SignInLimits> {
  const { database, drop } = await openTestDatabase('SQLite');
  context.after(async () => {
    await database.close();
    await drop();
  });
  return createSignInLimits(createAttemptCounts(database, Date.now));
}
