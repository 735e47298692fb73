import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import { problemOf } from '../../support/server/test-server.ts';

describeSignIns('creating test sign-ins', (world) => {
  test('is limited per organization, since each is a row and an entry in its log', async () => {
    const organization = await world.createOrganization();
    const other = await world.createOrganization();
    for (let count = 0; count < 60; count += 1) {
      assert.equal((await organization.call('POST /config/test')).status, 201);
    }
    const response = await organization.call('POST /config/test');
    assert.deepEqual(problemOf(response), { status: 429, code: 'too_many_attempts' });
    assert.match(response.body.detail, /^Too many test sign-ins\. Try again in \d+ min\.$/);
    assert.equal((await organization.audit('sso.test.begun')).length, 60);
    assert.equal((await other.call('POST /config/test')).status, 201);
  });

  test('does not count for the limit if it is forbidden', async () => {
    const organization = await world.createOrganization();
    const stranger = await world.server.createPerson();
    for (let count = 0; count < 61; count += 1) {
      assert.equal((await organization.call('POST /config/test', { as: stranger })).status, 404);
    }
    assert.equal((await organization.call('POST /config/test')).status, 201);
  });
});
