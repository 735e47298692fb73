import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

describe('a public address', () => {
  const isPrivate = {
    loopback: ['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    'mapped into IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
    'compatible with IPv4, translated or tunnelled': [
      '::127.0.0.1',
      '::7f00:1',
      '::a9fe:a9fe',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2002:a9fe:a9fe::1',
      '2001:0:53aa:64c::1',
    ],
    private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1'],
    'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%lo', 'febf::1', 'fec0::1'],
    'unique local': ['fc00::1', 'fd12:3456:789a::1'],
    'of metadata': [
      '169.254.169.254',
      '169.254.170.2',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd20:ce::254',
    ],
    'reserved, for tests or for many': [
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '192.88.99.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '2001:db8::1',
      '3fff::1',
      '100::1',
      '4000::1',
      'ff02::1',
    ],
    'in an invalid form': ['', 'localhost', '1', '127.1', '0x7f.1', '017700000001', '1.2.3.4.5', '[::1]'],
  };
  for (const [kind, addresses] of Object.entries(isPrivate)) {
    test(`is not ${kind}`, () => {
      assert.deepEqual(addresses.filter(isPublicAddress), []);
    });
  }

  test('can be any other address', () => {
    const addresses = ['1.1.1.1', '20.190.128.1', '172.32.0.1', '168.63.129.17', '2603:1006:2000::1'];
    assert.deepEqual(addresses.filter(isPublicAddress), addresses);
  });
});
