import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeByCode, createClient } from '../../../../tests/support/credentials/oauth.ts';
import { createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { createPost } from '../../../../tests/support/network/post.ts';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { daysMs, timestamp } from '../../base/clock.ts';
import { updateDisabledAt } from '../../organizations/user-store.ts';
import { updateTokenPolicy } from '../policy-store.ts';
import { mailExpiryNotices } from './notices.ts';

const publicUrl = 'https://atrium.example';

describeOnUsualEngine('the mails before tokens expire', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const { database } = server;
    const begun = server.clock();
    const post = createPost(begun, ({ stopped, ...rest }) =>
      mailExpiryNotices({ database, publicUrl, ...rest }, stopped),
    );
    const inDays = (days: number) => timestamp(begun + daysMs(days));
    return { server, owner, organizationId, database, ...post, inDays, begun };
  }

  test('go to the owner of a personal token, 30 days and 7 days before, each once', async (context) => {
    const { server, owner, organizationId, mails, run, inDays } = await startOffice(context);
    const editor = await server.createMember(organizationId, 'editor');
    await createToken(server, editor, { organizationId, name: 'Nightly', expiresAt: inDays(90) });
    await createToken(server, owner, { organizationId, name: 'Other', expiresAt: inDays(365) });
    await createToken(server, owner, { organizationId, name: 'Short', expiresAt: inDays(13) });
    assert.deepEqual(await run(0), []);
    assert.deepEqual(await run(59.9), []);
    assert.deepEqual(await run(60), [editor.email]);
    assert.deepEqual(mails[0], {
      to: editor.email,
      subject: 'Credentials for Atrium expire soon',
      text:
        'Programs that use the following for Organization on Atrium will stop working:\n\n' +
        '- Your personal token “Nightly” expires on 2027-02-19 at 09:00 UTC\n\n' +
        `Replace them in time, or revoke those that nothing uses:\n${publicUrl}/account\n`,
    });
    for (const day of [60, 61, 82.9]) assert.deepEqual(await run(day), [], `day ${day}`);
    assert.deepEqual(await run(83), [editor.email]);
    for (const day of [84, 89.9, 90, 120]) assert.deepEqual(await run(day), [], `day ${day}`);
  });

  test('go to the owners and admins for a service account, in one mail about all that is due', async (context) => {
    const { server, owner, organizationId, mails, run, inDays } = await startOffice(context);
    const [admin, disabled] = [
      await server.createMember(organizationId, 'admin'),
      await server.createMember(organizationId, 'admin'),
    ];
    await server.createMember(organizationId, 'editor');
    await server.database.write((transaction) => updateDisabledAt(transaction, disabled.id, inDays(0)));
    const other = await server.createOrganization(await server.createPerson('Stranger'));
    assert.notEqual(other, organizationId);
    await createClient(server, owner, { organizationId, expiresAt: inDays(60) });
    await createServiceAccount(server, admin, { organizationId, role: 'admin', expiresAt: inDays(60) });
    assert.deepEqual(await run(30), [admin.email, owner.email].toSorted());
    assert.equal(mails[0]?.subject, 'Credentials for Atrium expire soon');
    assert.equal(
      mails[0].text,
      'Programs that use the following for Organization on Atrium will stop working:\n\n' +
        '- The client secret “Client” of the service account “Pipeline” expires on 2027-01-20 at 09:00 UTC\n' +
        '- The token “Nightly” of the service account “Pipeline” expires on 2027-01-20 at 09:00 UTC\n\n' +
        'Replace them in time, or revoke those that nothing uses:\n' +
        `${publicUrl}/organizations/${organizationId}/settings\n`,
    );
    assert.deepEqual(await run(31), []);
  });

  test('warn a person a week before an authorization expires', async (context) => {
    const { server, owner, organizationId, mails, run } = await startOffice(context);
    await authorizeByCode(server, owner, { organizationId, scopes: ['read'] });
    assert.deepEqual(await run(82.9), []);
    assert.deepEqual(await run(83), [owner.email]);
    assert.match(
      mails[0]?.text ?? '',
      /- Your authorization of “Atrium command line” expires on 2027-02-19 at 09:00 UTC/,
    );
    assert.deepEqual(await run(84), []);
  });

  test('are sent by one of several processes', async (context) => {
    const { server, owner, organizationId, mails, run, inDays } = await startOffice(context);
    for (let count = 0; count < 5; count += 1)
      await createToken(server, owner, { organizationId, expiresAt: inDays(60) });
    await Promise.all([run(30), run(30), run(30), run(30)]);
    const lines = mails.flatMap(({ text }) => text.match(/^- /gm) ?? []);
    assert.equal(lines.length, 5);
  });

  test('are sent again only if no mail server accepted them, and not without one', async (context) => {
    const { server, owner, organizationId, mailer, run, inDays } = await startOffice(context);
    await createToken(server, owner, { organizationId, expiresAt: inDays(60) });
    mailer.isConfigured = false;
    assert.deepEqual(await run(30), []);
    mailer.isConfigured = true;
    mailer.accepts = false;
    assert.deepEqual(await run(30), [owner.email]);
    const stopping = new AbortController();
    stopping.abort();
    assert.deepEqual(await run(30, stopping.signal), [], 'the server stops');
    mailer.accepts = true;
    assert.deepEqual(await run(30), [owner.email]);
    assert.deepEqual(await run(30), []);
  });

  test('are completed by the next run if the server stops between two of them', async (context) => {
    const { server, owner, organizationId, mailer, mails, run, inDays } = await startOffice(context);
    const other = await server.createOrganization(owner);
    for (const id of [organizationId, other])
      await createToken(server, owner, { organizationId: id, expiresAt: inDays(60) });
    const stopping = new AbortController();
    const { send } = mailer;
    mailer.send = (mail) => {
      stopping.abort();
      return send(mail);
    };
    assert.equal((await run(30, stopping.signal)).length, 1);
    const [first] = mails.map(({ text }) => text);
    mailer.send = send;
    assert.equal((await run(30)).length, 1, 'the rest is sent by the next run');
    assert.ok(first !== undefined && first === mails[0]?.text, 'organizations have the same name here');
    assert.deepEqual(await run(30), []);
  });

  test('are not repeated when the clock jumps, and list the most urgent first', async (context) => {
    const { server, owner, organizationId, run, inDays } = await startOffice(context);
    await createToken(server, owner, { organizationId, expiresAt: inDays(90) });
    assert.deepEqual(await run(85), [owner.email], 'one mail for both');
    for (const day of [60, 70, 84, 86]) assert.deepEqual(await run(day), [], `day ${day}`);
  });

  test('follow the policy of the organization', async (context) => {
    const { server, owner, organizationId, database, mails, run, inDays } = await startOffice(context);
    await createToken(server, owner, { organizationId, expiresAt: inDays(365) });
    const putPolicy = (policy: { personalTokens: boolean; maxDays: number }) =>
      database.write((transaction) => updateTokenPolicy(transaction, organizationId, policy));
    assert.deepEqual(await run(50), []);
    await putPolicy({ personalTokens: true, maxDays: 60 });
    assert.deepEqual(await run(50), [owner.email]);
    assert.match(mails[0]?.text ?? '', /expires on 2027-01-20 at 09:00 UTC/);
    assert.deepEqual(await run(50), []);
    await putPolicy({ personalTokens: false, maxDays: 80 });
    assert.deepEqual(await run(55), [], 'a token that is not permitted doesn’t work anyway');
    await putPolicy({ personalTokens: true, maxDays: 80 });
    assert.deepEqual(await run(55), [owner.email], 'another end');
    await putPolicy({ personalTokens: true, maxDays: 365 });
    assert.deepEqual(await run(55), []);
    assert.deepEqual(await run(340), [owner.email]);
  });

  test('contain hostile names on one line, and nothing secret', async (context) => {
    const { server, owner, organizationId, mails, run, inDays } = await startOffice(context);
    const name = `Nightly\u2003\u200b${'x'.repeat(180)}`;
    const { token } = await createToken(server, owner, { organizationId, name, expiresAt: inDays(60) });
    await run(30);
    const text = mails[0]?.text ?? '';
    assert.ok(text.includes(`- Your personal token “Nightly ${'x'.repeat(56)}…” expires on`), text);
    assert.ok(!JSON.stringify(mails).includes(token.slice(11)));
  });

  test('don’t go to people who are no longer members', async (context) => {
    const { server, owner, organizationId, run, inDays } = await startOffice(context);
    const editor = await server.createMember(organizationId, 'editor');
    await createToken(server, editor, { organizationId, expiresAt: inDays(60) });
    await server.call(`DELETE /api/organizations/${organizationId}/members/${editor.id}`, { as: owner });
    assert.deepEqual(await run(30), []);
  });
});
