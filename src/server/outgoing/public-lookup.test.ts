import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../tests/support/network/dns-server.ts';
import { DnsError } from './dns-query.ts';
import { createAddressResolver, type ResolveAddresses } from './public-lookup.ts';

const [ipv4, ipv6] = ['192.0.2.1', '2001:db8::1'];

describe('the addresses of a name', () => {
  test('are all addresses in DNS, of both families', async (context) => {
    const { dns, resolve } = await open(context);
    dns.publishAddresses('both.example', ipv6, ipv4, '192.0.2.2');
    dns.publishAddresses('old.example', ipv4);
    dns.publishAddresses('new.example', ipv6);
    const found = async (name: string) => (await resolve(name)).map(({ address }) => address);
    assert.deepEqual((await found('both.example')).toSorted(), [ipv4, '192.0.2.2', ipv6]);
    assert.deepEqual(await resolve('old.example'), [{ address: ipv4, family: 4 }]);
    assert.deepEqual(await resolve('new.example'), [{ address: ipv6, family: 6 }]);
  });

  test('are replaced by a message if DNS has none, fails or does not respond', async (context) => {
    const { dns, resolve } = await open(context);
    dns.silence('silent.example');
    await assert.rejects(resolve('none.example'), new DnsError('ENOTFOUND'));
    await assert.rejects(resolve('silent.example'), { message: 'DNS did not respond in time' });
    dns.fail(true);
    await assert.rejects(resolve('none.example'), { message: 'DNS returned ESERVFAIL' });
  });

  test('of localhost are known without a query, and those of the hosts file are not used', async (context) => {
    const { dns, resolve } = await open(context);
    dns.publishAddresses('localhost', '192.0.2.1');
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'])
      assert.deepEqual(await resolve(name), [{ address: '127.0.0.1', family: 4 }], name);
    await assert.rejects(resolve('ip6-localhost'), { message: 'its name was not found in DNS' });
  });
});

/** Starts a DNS server, and returns it with a resolver that queries it. */
async function open(context: TestContext): Promise<{ dns: DnsServer; resolve: ResolveAddresses }> {
  const dns = await startDnsServer();
  context.after(() => dns.stop());
  const { hostname, port } = new URL(`dns://${dns.address}`);
  const servers = [{ host: hostname, port: Number(port) }];
  return { dns, resolve: createAddressResolver({ servers, deadlineMs: 2_000 }) };
}
