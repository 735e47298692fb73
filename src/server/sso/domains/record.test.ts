import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDnsServer } from '../../../../tests/support/network/dns-server.ts';
import { createTxtResolver, domainRecord } from './record.ts';

const [one, other] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'];

describe('the record of a domain', () => {
  test('is always the same, and different for each organization and domain', () => {
    const record = domainRecord(one, 'contoso.example');
    const { type, name, value } = record;
    assert.deepEqual([type, name], ['TXT', '_atrium.contoso.example']);
    assert.match(value, /^atrium-domain-verification=[\w-]{32}$/);
    assert.deepEqual(domainRecord(one, 'contoso.example'), record);
    const values = [record, domainRecord(other, 'contoso.example'), domainRecord(one, 'fabrikam.example')];
    assert.equal(new Set(values.map((each) => each.value)).size, 3);
  });
});

describe('a DNS query', () => {
  test('returns every TXT record of a name, with its parts joined', async (context) => {
    const dns = await startDnsServer();
    context.after(() => dns.stop());
    const resolveTxt = createTxtResolver([toHostPort(dns.address)]);
    const long = 'x'.repeat(300);
    dns.publish('_atrium.contoso.example', 'v=spf1 -all', long);
    const response = await resolveTxt('_atrium.contoso.example');
    assert.deepEqual('records' in response && response.records.toSorted(), ['v=spf1 -all', long]);
  });

  test('returns no records for a name that does not exist', async (context) => {
    const dns = await startDnsServer();
    context.after(() => dns.stop());
    const resolveTxt = createTxtResolver([toHostPort(dns.address)]);
    assert.deepEqual(await resolveTxt('_atrium.fabrikam.example'), { records: [] });
  });

  test('returns a failure if the server fails or is unreachable', async () => {
    const dns = await startDnsServer();
    const resolveTxt = createTxtResolver([toHostPort(dns.address)]);
    dns.fail(true);
    assert.deepEqual(await resolveTxt('_atrium.contoso.example'), { failure: 'DNS returned ESERVFAIL' });
    await dns.stop();
    const gone = await resolveTxt('_atrium.contoso.example');
    assert.ok('failure' in gone, JSON.stringify(gone));
  });

  test('ends at the deadline, however many servers do not respond', async (context) => {
    const all = await Promise.all(Array.from({ length: 6 }, () => startDnsServer()));
    context.after(() => Promise.all(all.map((dns) => dns.stop())));
    for (const dns of all) dns.silence('contoso.example');
    const resolveTxt = createTxtResolver(
      all.map(({ address }) => toHostPort(address)),
      1_500,
    );
    const startedAt = performance.now();
    assert.deepEqual(await resolveTxt('_atrium.contoso.example'), { failure: 'DNS did not respond in time' });
    const durationMs = performance.now() - startedAt;
    assert.ok(durationMs > 1_400 && durationMs < 6_000, `${durationMs} ms`);
  });

  test('ends for one name without ending for another', async (context) => {
    const dns = await startDnsServer();
    context.after(() => dns.stop());
    dns.silence('contoso.example');
    dns.publish('_atrium.fabrikam.example', 'here');
    const resolveTxt = createTxtResolver([toHostPort(dns.address)], 300);
    const silent = resolveTxt('_atrium.contoso.example');
    assert.deepEqual(await resolveTxt('_atrium.fabrikam.example'), { records: ['here'] });
    assert.deepEqual(await silent, { failure: 'DNS did not respond in time' });
  });
});

function toHostPort(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`dns://${address}`);
  return { host: hostname, port: Number(port) };
}
