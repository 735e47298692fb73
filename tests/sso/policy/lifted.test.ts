import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysMs } from '../../../src/server/base/clock.ts';
import { recheckDomains } from '../../../src/server/sso/domains/checks.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { problemOf } from '../../support/server/test-server.ts';

describeSignIns('the requirement of SSO', (world) => {
  const lifted = async ({ audit }: SsoOrganization) =>
    (await audit('sso.requirement.lifted')).map(({ actorId, details }) => [actorId, details]);

  const changes: [string, Record<string, unknown> | undefined, string[]][] = [
    ['disabled', { enabled: false }, ['configuration_disabled']],
    ['moved', { clientId: 'another', clientSecret: 'another' }, ['configuration_moved']],
    ['left without a secret', { clientSecret: '' }, ['secret_missing']],
    ['left without a proven domain', { emailDomains: ['unproven.example'] }, ['no_proven_domain']],
    ['deleted', undefined, ['configuration_deleted']],
  ];
  for (const [what, change, because] of changes) {
    test(`ends with a configuration that is ${what}, and the audit log shows who did it and why`, async () => {
      const { organization, bySso: ada } = await world.createRequiring();
      const { body: stored } = await organization.call('GET /config', { as: ada });
      // Everyone who may save can end it in a session that satisfies the requirement, including admins.
      const admin = await organization.enter(organization.addPerson('Admin'));
      await organization.setRole(admin, 'admin', ada);
      assert.equal((await organization.call('POST /config', { as: admin, body: stored })).status, 200);
      const added = { ...stored, emailDomains: [organization.domain, 'second.example'] };
      assert.equal((await organization.call('POST /config', { as: admin, body: added })).status, 200);
      assert.equal((await world.signInByPassword(ada)).status, 403);
      assert.deepEqual(await lifted(organization), [], 'a save that ends nothing lifts nothing');
      const response =
        change === undefined
          ? await organization.call('DELETE /config', { as: admin })
          : await organization.call('POST /config', { as: admin, body: { ...stored, ...change } });
      assert.ok([200, 204].includes(response.status), response.text);
      const again = await toPerson(world.server, await world.signInByPassword(ada));
      const line = `GET /api/organizations/${organization.id}`;
      assert.equal((await world.server.call(line, { as: again })).status, 200);
      assert.equal((await organization.call('GET /policy', { as: again })).body.requireSso, false);
      assert.deepEqual(await lifted(organization), [[admin.id, { because }]]);
      if (change === undefined) return;
      await organization.save(change);
      assert.equal((await lifted(organization)).length, 1, 'what is not required is not lifted');
    });
  }

  test('ends if the last domain is no longer verified, since nobody can sign in through the directory', async () => {
    const { organization, bySso: ada } = await world.createRequiring();
    const { database } = world.server;
    await database.write((transaction) => transaction.execute(`update sso_domains set proven_by = 'dns'`));
    assert.notEqual((await world.signInByPassword(ada)).status, 200);
    let now = Date.now();
    const recheckAfterDays = async (days: number) => {
      now += daysMs(days) + 1;
      await recheckDomains(
        database,
        () => now,
        async () => ({ records: [] }),
      );
    };
    await recheckAfterDays(1);
    assert.deepEqual(await lifted(organization), [], 'the proof has three days left');
    await recheckAfterDays(3);
    assert.deepEqual(await lifted(organization), [[undefined, { because: ['no_proven_domain'] }]]);
    assert.equal((await world.signInByPassword(ada)).status, 200);
    assert.equal((await organization.status()).state, 'blocked');

    // The session still works, but it must not require SSO again while nobody can sign in.
    assert.deepEqual(problemOf(await organization.putPolicy({ requireSso: true }, ada)), {
      status: 409,
      code: 'sso_not_ready',
    });
  });

  test('stays while another domain is verified', async () => {
    const { organization, bySso: ada } = await world.createRequiring();
    const { database } = world.server;
    const { body: stored } = await organization.call('GET /config', { as: ada });
    const body = { ...stored, emailDomains: [organization.domain, `second.${organization.domain}`] };
    assert.equal((await organization.call('POST /config', { as: ada, body })).status, 200);
    const at = '2026-01-01T00:00:00.000Z';
    await database.write((transaction) =>
      transaction.execute(
        `insert into sso_domains (domain, organization_id, configuration_id, proven_by, proven_at, checked_at, missing_since)
          values ('second.${organization.domain}', '${organization.id}', '${organization.configurationId}', 'dns', '${at}', '${at}', '${at}')`,
      ),
    );
    await recheckDomains(database, Date.now, async () => ({ records: [] }));
    assert.deepEqual(
      (await organization.audit('sso.domain.lost')).map(({ details }) => details),
      [{ domain: `second.${organization.domain}` }],
    );
    assert.deepEqual(await lifted(organization), []);
    assert.notEqual((await world.signInByPassword(ada)).status, 200);
  });
});

describeSignIns('a verified domain', (world) => {
  test('that is released is in the audit log, with the person who did it', async () => {
    const organization = await world.createOrganization();
    const released = async () =>
      (await organization.audit('sso.domain.released')).map(({ actorId, details }) => [actorId, details]);
    const { domain, owner } = organization;
    await organization.save({ emailDomains: ['another.example', domain] });
    assert.deepEqual(await released(), []);
    await organization.save({ emailDomains: ['another.example'] });
    assert.deepEqual(await released(), [[owner.id, { domain, provenBy: 'operator' }]]);
    assert.equal((await organization.call('DELETE /config')).status, 204);
    assert.equal((await released()).length, 1, 'what was never proven is not given up');

    const second = await world.createOrganization();
    assert.equal((await second.call('DELETE /config')).status, 204);
    const entries = await second.audit('sso.domain.released');
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ domain: second.domain, provenBy: 'operator' }],
    );
  });
});
