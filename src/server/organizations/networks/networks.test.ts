import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, parseNetwork } from './networks.ts';

test('addresses and ranges are read, and nothing else', () => {
  for (const text of [
    '203.0.113.7',
    '203.0.113.0/24',
    '0.0.0.0/0',
    '2001:db8::/32',
    '::1',
    '::ffff:10.0.0.1',
  ])
    assert.ok(parseNetwork(text), text);
  const wrong = ['', 'office', '203.0.113', '0x7f.1', '010.0.0.1', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1'];
  const more = [
    '10.0.0.0/08x',
    '2001:db8::/129',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
    '10.0.0.1 ',
    '10.0.0.0/1e1',
  ];
  for (const text of [...wrong, ...more]) assert.equal(parseNetwork(text), undefined, text);
});

test('an address is allowed if it is in one of the networks, in whatever form it arrives', () => {
  const cases: readonly [address: string, networks: string[], allowed: boolean][] = [
    ['203.0.113.7', [], true],
    ['203.0.113.7', ['203.0.113.7'], true],
    ['203.0.113.8', ['203.0.113.7'], false],
    ['203.0.113.8', ['2001:db8::/32', '203.0.113.0/24'], true],
    ['203.0.114.8', ['2001:db8::/32', '203.0.113.0/24'], false],
    ['::ffff:203.0.113.8', ['203.0.113.0/24'], true],
    ['203.0.113.8', ['::ffff:203.0.113.8'], true],
    ['2001:db8:0:1::5', ['2001:db8::/32'], true],
    ['2001:DB9::1', ['2001:db8::/32'], false],
    ['::1', ['127.0.0.0/8'], false],
    ['unix', ['0.0.0.0/0'], false],
  ];
  for (const [address, networks, allowed] of cases)
    assert.equal(isAllowed(address, networks), allowed, `${address} in ${networks.join(', ')}`);
});
