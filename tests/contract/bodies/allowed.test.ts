import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeOnUsualEngine, startTestServer } from '../../support/server/test-server.ts';
import { carried, configuration, dashboard, spelling } from './generators.ts';

const at = '2026-11-21T09:00:00.000Z';

describeOnUsualEngine('any body that the contract allows', (engine) => {
  test('creates a dashboard that is returned as it was sent', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await fc.assert(
      fc.asyncProperty(dashboard, fc.boolean(), spelling, async (sent, isShared, spell) => {
        const organization = isShared ? { organizationId } : {};
        const created = await server.call('POST /api/dashboards', {
          as: ada,
          body: spell({ ...sent, ...organization }),
        });
        assert.equal(created.status, 201, created.text);
        const { id, widgets } = created.body;
        for (const [index, { layout: placed }] of widgets.entries()) {
          if (sent.widgets?.[index]?.layout !== undefined) continue;
          assert.ok(
            [placed.x, placed.y].every((cell) => Number.isInteger(cell) && cell >= 0),
            JSON.stringify(placed),
          );
          assert.deepEqual([placed.x <= 6, placed.w, placed.h], [true, 6, 4]);
        }
        const expected = {
          id,
          userId: ada.id,
          ...organization,
          name: sent.name,
          ...(sent.description !== undefined && { description: sent.description }),
          widgets: carried(sent.widgets ?? []).map(({ reportId, layout: given, config }, index) => ({
            id: widgets[index].id,
            reportId,
            layout: given ? { x: given.x, y: given.y, w: given.w, h: given.h } : widgets[index].layout,
            config: config ?? {},
          })),
          createdAt: at,
          updatedAt: at,
        };
        assert.deepEqual(created.body, expected);
        const inOrder = (all: { config: unknown }[]) => all.map(({ config }) => JSON.stringify(config));
        assert.deepEqual(inOrder(widgets), inOrder(expected.widgets), 'the order of fields');
        const read = await server.call(`GET /api/dashboards/${id}`, { as: ada });
        assert.equal(read.text, created.text);
      }),
      { numRuns: 100 },
    );
  });

  test('places widgets below those whose layouts exceed the largest number', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const layouts = [
      { x: 0, y: 0, w: 12, h: 1.5e308 },
      { x: 0, y: 1e308, w: 12, h: 1e308 },
      undefined,
      undefined,
    ];
    const created = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'D', widgets: layouts.map((layout) => ({ reportId: 'r', layout })) },
    });
    assert.equal(created.status, 201, created.text);
    for (const { layout } of created.body.widgets) {
      assert.ok(
        Object.values(layout).every((cell) => Number.isInteger(cell)),
        JSON.stringify(layout),
      );
    }
    const read = await server.call(`GET /api/dashboards/${created.body.id}`, { as: ada });
    assert.equal(read.text, created.text);
  });

  test('creates or replaces a configuration that is returned as the contract requires', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await fc.assert(
      fc.asyncProperty(
        fc.array(configuration, { minLength: 1, maxLength: 4 }),
        spelling,
        async (writes, spell) => {
          const organizationId = await server.createOrganization(ada);
          const path = `/api/sso/orgs/${organizationId}/config`;
          let id: string | undefined;
          let party = '';
          let hasSecret = false;
          for (const sent of writes) {
            const body = spell({ ...sent, emailDomains: sent.emailDomains.map((domain) => domain.sent) });
            const response = await server.call(`POST ${path}`, { as: ada, body });
            assert.equal(response.status, 200, response.text);
            id ??= response.body.id;
            const tenant = encodeURIComponent(sent.tenantId ?? 'organizations');
            const discoveryUrl =
              sent.discoveryUrl ??
              `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`;
            const nextParty = JSON.stringify([sent.clientId, sent.tenantId ?? null, discoveryUrl]);
            hasSecret =
              sent.clientSecret === undefined ? hasSecret && nextParty === party : sent.clientSecret !== '';
            party = nextParty;
            const { emailDomains } = response.body;
            const areAllKnown = sent.emailDomains.every(({ stored }) => stored !== undefined);
            assert.deepEqual(response.body, {
              id,
              organizationId,
              provider: 'idp_ad',
              clientId: sent.clientId,
              ...(sent.tenantId !== undefined && { tenantId: sent.tenantId }),
              discoveryUrl,
              emailDomains: areAllKnown
                ? [...new Set(sent.emailDomains.map(({ stored }) => stored))]
                : emailDomains,
              enabled: sent.enabled,
              hasSecret,
              createdAt: at,
              updatedAt: at,
            });
            const read = await server.call(`GET ${path}`, { as: ada });
            assert.equal(read.text, response.text);
            const again = await server.call(`POST ${path}`, { as: ada, body: read.text });
            assert.deepEqual(again.body, read.body, 'a response can be sent again');
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
