import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { daysMs } from '../../../src/server/base/clock.ts';
import { recheckDomains } from '../../../src/server/sso/domains/checks.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { insertProvenDomain } from '../../../src/server/sso/domains/store.ts';
import { least, openOffice } from '../../support/sso/configuration.ts';
import type { Owner } from '../../support/endings.ts';
import { describeInWorld } from '../../support/server/shared-world.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Engine,
} from '../../support/server/test-server.ts';

const domainsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `d${index}-of-the-bücher.example`);

describeOnUsualEngine('many domains whose DNS does not respond', (engine) => {
  test('delay the others only a little, and do not flood DNS servers', async (context) => {
    const server = await startTestServer(context, engine);
    const organizationId = await server.createOrganization(await server.createPerson());
    const at = '2026-11-20T09:00:00.000Z';
    await server.database.write(async (transaction) => {
      for (const domain of domainsOf(250))
        await insertProvenDomain(transaction, {
          domain,
          organizationId,
          configurationId: 'none',
          provenBy: 'dns',
          at,
        });
    });
    const asked = new Set<string>();
    let underWay = 0;
    let most = 0;
    await recheckDomains(
      server.database,
      () => Date.parse(at) + daysMs(2),
      async (name) => {
        asked.add(name);
        most = Math.max(most, (underWay += 1));
        await setImmediate();
        underWay -= 1;
        return { failure: 'DNS did not respond in time' };
      },
    );
    assert.deepEqual([asked.size, most], [250, 20]);
  });
});

const start = async (owner: Owner, engine: Engine) => ({ server: await startTestServer(owner, engine) });

describeInWorld('a configuration of 20,000 domains', start, (world) => {
  test('is returned in small responses', async () => {
    const { server } = world;
    const { ada, organizationId, put } = await openOffice(server);
    const saved = await put({ ...least, emailDomains: domainsOf(20_000) });
    assert.equal(saved.status, 200);
    const stored: string[] = saved.body.emailDomains;
    assert.equal(stored.length, 20_000);
    const path = `/api/sso/orgs/${organizationId}`;
    const { text, body: status } = await server.call(`GET ${path}/status`, { as: ada });
    assert.ok(text.length < 200_000, `${text.length} characters`);
    assert.deepEqual(
      [status.domainCount, status.domains.map(({ domain }: { domain: string }) => domain)],
      [20_000, stored.slice(0, 100)],
    );
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: ada });
    assert.ok(audit.text.length < 200_000, `${audit.text.length} characters`);

    const listed: string[] = [];
    let query = '?limit=200';
    for (let pages = 0; query !== ''; pages += 1) {
      assert.ok(pages < 100, 'the list does not end');
      const { body } = await server.call(`GET ${path}/domains${query}`, { as: ada });
      listed.push(...body.items.map(({ domain }: { domain: string }) => domain));
      query = body.nextCursor === undefined ? '' : `?limit=200&cursor=${body.nextCursor}`;
    }
    assert.deepEqual(listed, stored);
    for (const cursor of [
      'x',
      Buffer.from('-1').toString('base64url'),
      Buffer.from('').toString('base64url'),
    ])
      assert.equal(
        problemOf(await server.call(`GET ${path}/domains?cursor=${cursor}`, { as: ada })).code,
        'invalid_parameters',
      );
    const behind = Buffer.from('20000').toString('base64url');
    const { body: last } = await server.call(`GET ${path}/domains?cursor=${behind}`, { as: ada });
    assert.deepEqual(last, { items: [] });
  });

  test('reports a missing record, wherever its domain is in the list', async () => {
    const { server } = world;
    const { ada, organizationId, put } = await openOffice(server);
    const { body: saved } = await put({ ...least, emailDomains: domainsOf(20_000) });
    const domain: string = saved.emailDomains[19_999];
    await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
    await server.database.write((transaction) =>
      transaction.execute(`update sso_domains set missing_since = '2026-11-20T09:00:00.000Z'`),
    );
    const { body } = await server.call(`GET /api/sso/orgs/${organizationId}/status`, { as: ada });
    const reasons: { code: string; message: string }[] = body.reasons;
    const missing = reasons.filter(({ code }) => code === 'domain_record_missing');
    assert.equal(missing.length, 1);
    assert.ok(missing[0]?.message.startsWith(`${domain}: `));
    assert.ok(!reasons.some(({ code }) => code === 'no_proven_domain'));
  });

  test('can have at most a thousand verified domains', async () => {
    const { server } = world;
    const { organizationId, put } = await openOffice(server);
    const { body: saved } = await put({ ...least, emailDomains: domainsOf(1_001) });
    const [last = '', ...others] = (saved.emailDomains as string[]).toReversed();
    await server.database.write(async (transaction) => {
      for (const domain of others)
        await insertProvenDomain(transaction, {
          domain,
          organizationId,
          configurationId: saved.id,
          provenBy: 'dns',
          at: '2026-11-21T09:00:00.000Z',
        });
    });
    const verify = (domain: string) =>
      verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
    await assert.rejects(verify(last), { code: 'domain_not_proven', message: /1000 verified domains/ });
    assert.equal((await verify(others[0] ?? '')).provenBy, 'operator', 'one that is already verified');
  });
});
