import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../tests/support/server/test-server.ts';
import { minutesMs } from '../base/clock.ts';
import { createProxyWarning } from './proxy-warning.ts';

const about = /ATRIUM_TRUSTED_PROXIES/;

test('a limit on what may be a proxy’s address is logged, with the setting that fixes it', async (context) => {
  const server = await startTestServer(context, 'SQLite');
  const attempt = (email: string, headers = {}) =>
    server.call('POST /api/auth/sign-in/email', { body: { email, password: 'x' }, headers });
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => attempt(`nobody${index}@example.com`, headers)),
  );
  assert.ok(!server.log.some((line) => about.test(line)));
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await attempt('ada@example.com', headers)).status, 429);
  }
  const warnings = server.log.filter((line) => about.test(line));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /"level":40.*Sign-ins from 127\.0\.0\.1 are refused/);
});

test('the warning is logged once in ten minutes, and not for addresses of people', () => {
  let now = 0;
  const warned: unknown[] = [];
  const onAddressLimit = createProxyWarning(
    () => now,
    (details) => warned.push(details),
  );
  for (const address of ['203.0.113.7', '2001:db8::1', 'unknown'])
    onAddressLimit({ address, isForwarded: false });
  assert.deepEqual(warned, []);
  for (const address of ['10.0.0.1', '::1', 'fd00::1', '::ffff:192.168.0.1', '203.0.113.7']) {
    onAddressLimit({ address, isForwarded: address === '203.0.113.7' });
    onAddressLimit({ address });
    now += minutesMs(10);
  }
  assert.equal(warned.length, 5);
  assert.deepEqual(warned.at(-1), { address: '203.0.113.7', isForwarded: true });
});
