import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../../../tests/support/network/free-port.ts';
import { startSmtpServer } from '../../../tests/support/network/smtp-server.ts';
import { createMailTransport } from './transport.ts';

const mail = { to: 'bob@example.com', subject: 'Hello', text: 'https://atrium.example/invitation#secret\n' };
const mailFrom = 'atrium@example.com';
const unexpected = (error: unknown) => assert.fail(String(error));

test('a mail that the server accepts is sent', async (context) => {
  const smtp = await startSmtpServer(context);
  const { isConfigured, deliver } = createMailTransport({ smtpUrl: smtp.url, mailFrom }, unexpected);
  assert.deepEqual([isConfigured, await deliver(mail)], [true, { isSent: true }]);
  assert.match(
    smtp.accepted[0] ?? '',
    /^From: atrium@example\.com\r\nTo: bob@example\.com\r\nSubject: Hello\r\n/,
  );
});

test('a refused mail is not sent, with the reason; the log holds nothing of the mail', async (context) => {
  const smtp = await startSmtpServer(context);
  const log: string[] = [];
  const { isConfigured, deliver } = createMailTransport({ smtpUrl: smtp.url, mailFrom }, (error) =>
    log.push(String(error)),
  );
  const refusals: [Record<string, string>, reason: string][] = [
    [
      { RCPT: '451 Try again: https://atrium.example/invitation#secret' },
      'the mail server refused it with code 451',
    ],
    [{ MAIL: '550 Not you' }, 'the mail server refused it with code 550'],
    [{ DATA: '554 secret' }, 'the mail server refused it with code 554'],
  ];
  for (const [refusal, reason] of refusals) {
    smtp.refusals = refusal;
    assert.deepEqual([isConfigured, await deliver(mail)], [true, { isSent: false, reason }]);
  }
  smtp.refusals = {};
  assert.deepEqual(await deliver(mail), { isSent: true });
  assert.equal(log.length, refusals.length);
  assert.ok(!log.some((line) => line.includes('secret')), log.join('\n'));
});

test('a mail server that cannot be reached is not one that is not configured', async () => {
  const log: string[] = [];
  const unreachable = createMailTransport(
    { smtpUrl: `smtp://127.0.0.1:${await findFreePort()}`, mailFrom },
    (error) => log.push(String(error)),
  );
  assert.equal(unreachable.isConfigured, true);
  assert.deepEqual(await unreachable.deliver(mail), {
    isSent: false,
    reason: 'the mail server could not be reached',
  });
  assert.equal(log.length, 1);
  assert.equal(createMailTransport({ smtpUrl: undefined, mailFrom }, unexpected).isConfigured, false);
});
