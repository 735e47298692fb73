import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmtpServer } from '../../../tests/support/network/smtp-server.ts';
import { accept, invite, readInvitation } from '../../../tests/support/organizations/calls.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import { daysMs, hoursMs } from '../base/clock.ts';
import { createMailer, type Mail } from './mailer.ts';
import { createMailTransport } from './transport.ts';

const tooMany = { status: 429, code: 'too_many_attempts' };

describeOnUsualEngine('emails that people cause', (engine) => {
  test('with invitations are limited for an organization, the server and an address, by day', async (context) => {
    const server = await startTestServer(context, engine, {
      ATRIUM_ORGANIZATION_INVITATIONS_PER_DAY: '6',
      ATRIUM_INVITATIONS_PER_DAY: '8',
    });
    server.mailServer.state = 'accepts';
    const [mallory, ada] = [await server.createPerson('Mallory'), await server.createPerson('Ada')];
    const [hostile, other] = [await server.createOrganization(mallory), await server.createOrganization(ada)];
    const victim = await server.createPerson('Victim');
    const bomb = (to: string) => invite(server, mallory, hostile, to);
    for (let count = 1; count <= 5; count += 1) assert.equal((await bomb(victim.email)).status, 201);
    const [last] = server.mails.slice(-1);
    const refused = await bomb(victim.email.toUpperCase());
    assert.deepEqual(problemOf(refused), tooMany);
    assert.equal(refused.headers['retry-after'], '86400');
    // Another organization doesn't reach the address, either, since one person can have many.
    assert.deepEqual(problemOf(await invite(server, ada, other, victim.email)), tooMany);

    assert.equal((await bomb('one@example.com')).status, 201);
    assert.deepEqual(problemOf(await bomb('two@example.com')), tooMany);
    for (const name of ['three', 'four'])
      assert.equal((await invite(server, ada, other, `${name}@example.com`)).status, 201);
    assert.deepEqual(problemOf(await invite(server, ada, other, 'five@example.com')), tooMany);
    assert.equal(server.mails.length, 8);

    // The refused invitation did not replace the one that was sent.
    const token = /#([\w-]{43})\n/.exec(last?.text ?? '')?.[1] ?? '';
    assert.equal((await readInvitation(server, token)).status, 200);
    assert.equal((await accept(server, victim, token)).status, 200);

    // What someone is told about their own account doesn't count under these limits.
    const reset = await server.call('POST /api/auth/request-password-reset', { body: { email: ada.email } });
    assert.equal(reset.status, 200, reset.text);
    server.advance(daysMs(1));
    const tomorrow = await server.createSsoSession(mallory, hostile);
    assert.equal((await invite(server, tomorrow, hostile, 'two@example.com')).status, 201);
  });

  test('count under no limit of an organization in which the person may not invite', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_ORGANIZATION_INVITATIONS_PER_DAY: '1' });
    server.mailServer.state = 'accepts';
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const id = await server.createOrganization(ada);
    assert.equal((await invite(server, eve, id, 'bob@example.com')).status, 404);
    const viewer = await server.createMember(id, 'viewer');
    assert.equal((await invite(server, viewer, id, 'bob@example.com')).status, 403);
    assert.equal((await invite(server, ada, id, 'bob@example.com')).status, 201);
  });

  test('of one kind, person or organization never use up those of another', async (context) => {
    const { database, clock, advance } = await startTestServer(context, engine);
    const smtp = await startSmtpServer(context);
    const transport = createMailTransport({ smtpUrl: smtp.url, mailFrom: 'atrium@example.com' }, (error) =>
      assert.fail(String(error)),
    );
    const limits = { organizationInvitationsPerDay: 2, invitationsPerDay: 3 };
    const mailer = createMailer(transport, { database, clock, limits });
    const countSent = async (mail: Mail) => {
      const before = smtp.accepted.length;
      for (let count = 0; count < 25; count += 1) if (!(await mailer.send(mail)).isSent) break;
      return smtp.accepted.length - before;
    };
    const [to, text] = ['bob@example.com', 'Hello\n'];
    const comment = { kind: 'comment', to, text } as const;
    const cases: readonly (readonly [Mail, sent: number])[] = [
      [{ ...comment, organizationId: 'hostile' }, 20],
      [{ ...comment, organizationId: 'hostile', to: 'BOB@example.com' }, 0],
      [{ ...comment, organizationId: 'other' }, 20],
      [{ kind: 'invitation', to, text, organizationId: 'hostile' }, 2],
      [{ kind: 'invitation', to: 'eve@example.com', text, organizationId: 'third' }, 1],
      [{ kind: 'wrong_second_factor', to, text }, 20],
      [{ kind: 'passkey_added', to, text }, 20],
      [{ kind: 'passkey_added', to: 'eve@example.com', text }, 20],
    ];
    for (const [mail, sent] of cases) assert.equal(await countSent(mail), sent, JSON.stringify(mail));
    assert.deepEqual(await mailer.send({ kind: 'passkey_added', to, text }), {
      isSent: false,
      reason: 'too many emails of this kind were sent',
    });
    advance(hoursMs(1));
    assert.equal((await mailer.send({ kind: 'passkey_added', to, text })).isSent, true);
  });
});
