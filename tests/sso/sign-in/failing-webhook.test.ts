import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('a webhook', (world) => {
  test('is sent once that nobody can sign in, and again after a success', async () => {
    const organization = await world.createOrganization();
    const { server } = world;
    const { id: organizationId, owner } = organization;
    const path = `/api/organizations/${organizationId}/webhooks`;
    const body = { url: 'https://hooks.example/', events: ['sso.failing'] };
    const { id } = (await server.call(`POST ${path}`, { as: owner, body })).body;
    const sent = async (): Promise<{ data: object }[]> =>
      (await server.call(`GET ${path}/${id}/deliveries`, { as: owner })).body.items.map(
        (delivery: { body: string }) => JSON.parse(delivery.body) as { data: object },
      );
    const subject = organization.addPerson('Ada');
    // About one person only.
    await organization.refusal(organization.addPerson('Nobody', { preferred_username: undefined }));
    assert.deepEqual(await sent(), []);
    const fail = async () => {
      await organization.save({ clientSecret: 'of another client' });
      await organization.refusal(subject);
      await organization.refusal(subject);
    };
    await fail();
    const [event, ...others] = await sent();
    assert.deepEqual(others, []);
    assert.deepEqual(Object.keys(event?.data ?? {}), ['organizationId', 'configurationId', 'code']);
    assert.ok(!JSON.stringify(event).includes('of another client'));
    await organization.save();
    await organization.enter(subject);
    server.advance(1_000);
    await fail();
    assert.equal((await sent()).length, 2);
  });
});
