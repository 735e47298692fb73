import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outgoing } from '../../../src/server/outgoing/outgoing.ts';
import { createIdentityProviders } from '../../../src/server/sso/protocol/provider/identity-provider.ts';
import { raw, type Bends } from '../../support/sso/hostile-provider.ts';
import {
  describeTenancies,
  expectControl,
  type HostileWorld,
  type Tenancy,
} from '../../support/sso/hostile-world.ts';
import { cookieOf } from '../../support/sso/responses.ts';

const stalledHeaders = () => raw({ stall: 'headers' });
const stalledBody = () => raw({ headers: { 'content-type': 'application/json' }, stall: 'body' });

const stalls: [name: string, bends: Bends][] = [
  ['the head of a discovery document', { discovery: stalledHeaders }],
  ['the body of a discovery document', { discovery: stalledBody }],
  ['the head of a token', { token: stalledHeaders }],
  ['the body of a token', { token: stalledBody }],
  ['the head of the keys', { keys: stalledHeaders }],
  ['the body of the keys', { keys: stalledBody }],
  [
    'the keys after a slow token',
    { token: (response) => delay(4_500).then(() => response), keys: stalledHeaders },
  ],
];

/** The ten seconds, and what a busy machine needs besides. Without a deadline, nothing would ever end. */
const longestMs = 20_000;

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; durationMs: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, durationMs: performance.now() - startedAt };
}

const countAudit = async ({ server, owner, organizationId }: Tenancy): Promise<number> => {
  const path = `/api/organizations/${organizationId}/audit/export?action=sign_in.refused`;
  return (await server.call(`GET ${path}`, { as: owner })).text.split('\n').length - 1;
};

const unused: Omit<Outgoing, 'fetch'> = {
  fetchShown: async () => assert.fail(),
  isPrivate: () => false,
  close: async () => undefined,
};

const configuration = (configurationId: string) => ({
  organizationId: configurationId,
  configurationId,
  version: 1,
  clientId: 'client',
  clientSecret: 'secret',
  discoveryUrl: `https://${configurationId}.example/.well-known/openid-configuration`,
  tenantId: undefined,
  redirectUri: 'https://atrium.example/callback',
});

const tests = (world: HostileWorld): void => {
  describe('a provider that hangs', { concurrency: true }, () => {
    test('delays its own sign-ins for at most 10 s, and nobody else', async () => {
      const [bystander, crowded] = [await world.createTenancy(), await world.createTenancy()];
      const stalled: { name: string; bends: Bends; tenancy: Tenancy }[] = [];
      for (const [name, bends] of stalls) stalled.push({ name, bends, tenancy: await world.createTenancy() });
      const { server, owner, organizationId } = bystander;
      const created = await server.call('POST /api/dashboards', {
        as: owner,
        body: { name: 'Board', organizationId },
      });
      assert.equal(created.status, 201, created.text);
      await expectControl(crowded, 'crowded');
      crowded.provider.bend({ token: stalledHeaders });

      const over = new AbortController();
      const hanging = Promise.all([
        ...Array.from({ length: 50 }, () => timed(() => crowded.signIn())),
        ...stalled.map(async ({ name, bends, tenancy }) => {
          tenancy.provider.bend(bends);
          const outcome = await timed(() => tenancy.signIn());
          const refusal = await tenancy.lastRefusal();
          assert.equal(refusal?.code, 'provider_unreachable', name);
          assert.match(refusal?.message ?? '', /no response within 5 seconds/, name);
          tenancy.provider.bend({});
          return outcome;
        }),
      ]).finally(() => {
        over.abort();
      });

      const waits: number[] = [];
      while (!over.signal.aborted) {
        const signIn = await timed(() => bystander.signIn());
        assert.equal(signIn.result.response.status, 302);
        const read = await timed(() => server.call(`GET /api/dashboards/${created.body.id}`, { as: owner }));
        assert.equal(read.result.status, 200);
        waits.push(signIn.durationMs, read.durationMs);
        await delay(20);
      }
      for (const { result, durationMs } of await hanging) {
        assert.equal(result.response.status, 403, result.response.text);
        assert.ok(durationMs < longestMs, `a sign-in took ${durationMs} ms`);
      }
      // More than either takes on a busy machine, and less than a stall.
      const median = waits.toSorted((one, other) => one - other)[Math.floor(waits.length / 2)] ?? Infinity;
      assert.ok(waits.length > 10, `${waits.length} measurements`);
      assert.ok(median < 2_000, `a bystander waits ${median} ms`);
      assert.ok(Math.max(...waits) < 4_500, `a bystander waits ${Math.max(...waits)} ms at worst`);
      for (const { name, tenancy } of stalled) await expectControl(tenancy, name);
    });

    test('a request that nothing else ends is ended after 10 s', async () => {
      const never = new Promise<Response>(() => undefined);
      const providers = createIdentityProviders({ ...unused, fetch: () => never });
      const discovering = timed(() =>
        assert.rejects(providers.discover(configuration('hanging')), {
          code: 'provider_unreachable',
          message: /within 10 seconds/,
        }),
      );
      assert.ok((await discovering).durationMs < longestMs);
    });
  });

  describe('configurations that come and go', () => {
    test('do not leak memory', async () => {
      let asked = 0;
      const providers = createIdentityProviders({
        ...unused,
        async fetch(url) {
          asked += 1;
          const issuer = url.replace('/.well-known/openid-configuration', '');
          const [authorization_endpoint, token_endpoint, jwks_uri] = [
            `${issuer}/a`,
            `${issuer}/t`,
            `${issuer}/k`,
          ];
          return Response.json({ issuer, authorization_endpoint, token_endpoint, jwks_uri });
        },
      });
      const discover = (id: string) => providers.discover(configuration(id));
      await discover('first');
      await discover('first');
      assert.equal(asked, 1);
      for (let count = 0; count < 1_000; count += 1) await discover(`other-${count}`);
      await discover('other-999');
      assert.equal(asked, 1_001);
      await discover('first');
      assert.equal(asked, 1_002);
    });
  });

  describe('a provider that fails', () => {
    test('gets one request for many sign-ins, which record one refusal', async () => {
      const tenancy = await world.createTenancy();
      const { provider } = tenancy;
      for (const [name, response] of [
        ['refuses', raw({ status: 500 })],
        ['lies', { issuer: 'https://elsewhere.example' }],
      ] as const) {
        await tenancy.save();
        provider.bend({ discovery: () => response });
        const asked = provider.requests.length;
        const refusals = await countAudit(tenancy);
        const responses = await Promise.all(Array.from({ length: 100 }, () => tenancy.start()));
        for (let count = 0; count < 20; count += 1) responses.push(await tenancy.start());
        assert.ok(responses.every(({ status }) => status === 403));
        assert.equal(provider.requests.length - asked, 1, name);
        assert.equal((await countAudit(tenancy)) - refusals, 1, name);
      }
    });

    test('gets one request for its document and its keys from simultaneous sign-ins', async () => {
      const tenancy = await world.createTenancy();
      const { provider } = tenancy;
      await Promise.all(Array.from({ length: 20 }, () => tenancy.signIn()));
      const asked = (end: string) => provider.requests.filter(({ path }) => path.endsWith(end)).length;
      assert.equal(asked('/openid-configuration'), 1);
      assert.equal(asked('/keys'), 1);
      await tenancy.signIn();
      const keys = asked('/keys');
      provider.bend({ header: (header) => ({ ...header, kid: 'unknown' }) });
      for (let count = 0; count < 10; count += 1) {
        assert.equal((await tenancy.signIn()).response.status, 403);
      }
      assert.ok(asked('/keys') - keys <= 1, `${asked('/keys') - keys} more times`);
      provider.bend({});
      assert.match(cookieOf((await tenancy.signIn()).response), /^auth\.session_token=/);
    });

    test('gets one request for new keys for many sign-ins, immediately, but not repeatedly', async () => {
      const tenancy = await world.createTenancy();
      const { provider, server } = tenancy;
      const asked = () => provider.requests.filter(({ path }) => path.endsWith('/keys')).length;
      await expectControl(tenancy, 'at first');
      const rotated: Bends = {
        header: (header) => ({ ...header, kid: 'new' }),
        keys: ([key]) => ({ keys: [{ ...key, kid: 'new' }] }),
      };
      provider.bend(rotated);
      const before = asked();
      const all = await Promise.all(Array.from({ length: 20 }, () => tenancy.signIn()));
      assert.deepEqual(new Set(all.map(({ response }) => response.status)), new Set([302]));
      assert.equal(asked() - before, 1);
      // In the next seconds, only tokens for the cached keys are accepted.
      provider.bend({});
      assert.equal((await tenancy.signIn()).response.status, 403);
      assert.equal(asked() - before, 1);
      server.advance(10_000);
      assert.equal((await tenancy.signIn()).response.status, 302);
      assert.equal(asked() - before, 2);
    });
  });
};

describeTenancies('the availability of single sign-on', tests, ['SQLite']);
