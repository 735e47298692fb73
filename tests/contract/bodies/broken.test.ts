import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeOnUsualEngine, problemOf, startTestServer } from '../../support/server/test-server.ts';
import { breaksOf, broken, choose, configurationShape, dashboardShape, faultsOf } from './breaks.ts';
import { carried, configuration, dashboard, type Json } from './generators.ts';

const picks = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 12 });

describeOnUsualEngine('any body that breaks the contract', (engine) => {
  for (const { name, shape, valid, line } of [
    { name: 'a dashboard', shape: dashboardShape, valid: dashboard, line: 'POST /api/dashboards' },
    {
      name: 'a configuration',
      shape: configurationShape,
      valid: configuration.map((sent) => ({
        ...sent,
        emailDomains: sent.emailDomains.map((domain) => domain.sent),
      })),
      line: 'POST /api/sso/orgs/{orgId}/config',
    },
  ]) {
    test(`of ${name} is a 400 that names each fault, and nothing is stored`, async (context) => {
      const server = await startTestServer(context, engine);
      const ada = await server.createPerson('Ada');
      const organizationId = await server.createOrganization(ada);
      const request = line.replace('{orgId}', organizationId);
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(valid, picks, async (body, numbers) => {
          const chosen = choose(breaksOf(shape, carried(body)), numbers);
          const sent = chosen.reduce<Json>(
            (partly, next) => broken(partly, next) as Json,
            carried(body) as Json,
          );
          const faults = faultsOf(chosen);
          const response = await server.call(request, { as: ada, body: JSON.stringify(sent) });
          assert.deepEqual(problemOf(response), { status: 400, code: 'invalid_body', faults });
          for (const fault of faults) seen.add(fault.replaceAll(/\d+/g, '*'));
        }),
        { numRuns: 100 },
      );
      assert.ok(seen.size > 10, `${[...seen].join('\n')} are the only faults`);
      assert.deepEqual((await server.call('GET /api/dashboards', { as: ada })).body, { items: [] });
      const stored = await server.call(`GET /api/sso/orgs/${organizationId}/config`, { as: ada });
      assert.equal(stored.status, 404);
    });
  }

  test('in more than a hundred places gets a problem that lists a hundred of them', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const widgets = Array.from({ length: 150 }, () => ({}));
    const { status, body } = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'D', widgets },
    });
    assert.equal(status, 400);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    assert.deepEqual(
      pointers,
      Array.from({ length: 100 }, (_, index) => `/widgets/${index}/reportId`),
    );
  });
});
