import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysMs, timestamp } from '../../../src/server/base/clock.ts';
import { updateDisabledAt } from '../../../src/server/organizations/user-store.ts';
import { mailSecretNotices } from '../../../src/server/sso/notices/notices.ts';
import { createPost } from '../../support/network/post.ts';
import { addConnection } from '../../support/sso/connection.ts';
import { describeSignIns } from '../../support/sso/world.ts';

const publicUrl = 'https://atrium.example';

describeSignIns('the mails before client secrets expire', (world) => {
  function startPost() {
    const { database } = world.server;
    const begun = world.server.clock();
    const post = createPost(begun, ({ stopped, ...rest }) =>
      mailSecretNotices({ database, publicUrl, ...rest }, stopped),
    );
    return { ...post, inDays: (days: number) => timestamp(begun + daysMs(days)) };
  }

  test('go to the owners 60, 30 and 7 days before, each once', async () => {
    const { mails, run, inDays } = startPost();
    const organization = await world.createOrganization();
    const second = await world.server.createMember(organization.id, 'owner');
    await world.server.createMember(organization.id, 'admin');
    const disabled = await world.server.createMember(organization.id, 'owner');
    await world.server.database.write((transaction) => updateDisabledAt(transaction, disabled.id, inDays(0)));
    await organization.putPolicy({ secretExpiresAt: inDays(100) });
    const owners = [organization.owner.email, second.email].toSorted();
    assert.deepEqual(await run(39.9), []);
    assert.deepEqual(await run(40), owners);
    assert.deepEqual(mails[0], {
      to: mails[0]?.to,
      subject: 'The client secret of single sign-on expires soon',
      text:
        'The client secret with which people of Organization sign in to Atrium expires on 2027-03-01, in 60 days. ' +
        'After that, nobody can sign in with it.\n\n' +
        'Create a second secret at the identity provider, enter it with its expiry date on this page, and delete the old one ' +
        `once a test sign-in has succeeded:\n${publicUrl}/organizations/${organization.id}/sso\n`,
    });
    for (const day of [40, 69.9]) assert.deepEqual(await run(day), [], `day ${day}`);
    assert.deepEqual(await run(70), owners);
    for (const day of [50, 71, 92.9]) assert.deepEqual(await run(day), [], `day ${day}`);
    assert.deepEqual(await run(93), owners);
    for (const day of [94, 100, 200]) assert.deepEqual(await run(day), [], `day ${day}`);
    // A new secret has notices of its own.
    await organization.putPolicy({ secretExpiresAt: inDays(300) });
    assert.deepEqual(await run(240), owners);
  });

  test('name the directory, and are not about one that is off', async () => {
    const { mails, run, inDays } = startPost();
    const organization = await world.createOrganization();
    const connection = await addConnection(world.server, organization, world.openId);
    const policy = { defaultRole: 'viewer', roleMappings: [], secretExpiresAt: inDays(5) };
    await connection.call('PUT /policy', { body: policy });
    assert.deepEqual(await run(0), [organization.owner.email]);
    assert.match(mails[0]?.text ?? '', /sign in to Atrium through “Subsidiary” expires on /);
    assert.ok(mails[0]?.text.endsWith(`/sso/connections/${connection.id}\n`));
    await connection.call('PUT /policy', { body: { ...policy, secretExpiresAt: inDays(6) } });
    await connection.save({ enabled: false });
    assert.deepEqual(await run(0), []);
  });

  test('are sent by one of several processes, and again only if no mail server accepted them', async () => {
    const { mails, mailer, run, inDays } = startPost();
    const organization = await world.createOrganization();
    await organization.putPolicy({ secretExpiresAt: inDays(20) });
    mailer.isConfigured = false;
    assert.deepEqual(await run(0), []);
    mailer.isConfigured = true;
    const stopping = new AbortController();
    stopping.abort();
    assert.deepEqual(await run(0, stopping.signal), []);
    mailer.accepts = false;
    assert.deepEqual(await run(0), [organization.owner.email]);
    mailer.accepts = true;
    await Promise.all([run(0), run(0), run(0)]);
    assert.equal(mails.length, 1);
    assert.deepEqual(await run(0), []);
  });
});
