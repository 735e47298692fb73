import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { daysMs, hoursMs, minutesMs, timestamp } from '../../../src/server/base/clock.ts';
import type { Mail } from '../../../src/server/mail/mailer.ts';
import { mailSecretNotices } from '../../../src/server/sso/notices/notices.ts';
import { createChecks } from '../../support/sso/checks.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { isSignedIn } from '../revalidation/sessions.ts';
import { audience, issuer, subject } from './host.ts';
import { describeWorkloads, pathOf } from './world.ts';

describeWorkloads('the workload identity of the server', (world) => {
  const registration = { isOffered: true, issuer, subject, audience };
  const read = async (organization: SsoOrganization) =>
    (await organization.call(`GET ${pathOf(organization)}`)).body;
  const use = async (organization: SsoOrganization) => {
    const response = await organization.call(`PUT ${pathOf(organization)}`);
    assert.equal(response.status, 200, response.text);
    return response.body;
  };

  test('signs people in at Entra in place of the secret, and is read at each use', async () => {
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    const first = await world.renewToken();
    assert.deepEqual(await read(organization), registration);
    assert.equal((await organization.signIn(bob)).status, 302, 'with the secret until it is used');
    const usedSince = timestamp(world.server.clock());
    assert.deepEqual(await use(organization), { ...registration, usedSince });
    assert.deepEqual(await use(organization), { ...registration, usedSince }, 'once');
    world.entra.trustHost(world.trust);
    assert.equal((await organization.signIn(bob)).status, 302);
    assert.deepEqual(world.entra.assertions.at(-1)?.claims, decodeJwt(first));
    world.server.advance(hoursMs(1) + 1_000);
    const second = await world.renewToken();
    assert.equal((await organization.signIn(bob)).status, 302);
    assert.deepEqual(world.entra.assertions.at(-1)?.claims, decodeJwt(second));
    assert.deepEqual((await organization.test(bob)).failed, []);
    assert.equal((await organization.status()).state, 'ready');
    // It needs no secret.
    await organization.save({ clientSecret: '' });
    assert.equal((await organization.status()).state, 'ready');
    assert.equal((await organization.signIn(bob)).status, 302);
    world.entra.trustHost(undefined);
    await organization.save();
    assert.equal((await organization.call(`DELETE ${pathOf(organization)}`)).status, 204);
    assert.equal((await organization.call(`DELETE ${pathOf(organization)}`)).status, 204);
    assert.equal((await organization.signIn(bob)).status, 302, 'with the secret again');
    assert.deepEqual(await read(organization), registration);
    assert.deepEqual(
      (await organization.audit())
        .filter(({ action }) => action.includes('workload'))
        .map(({ action, actorId, details }) => [action, actorId, details]),
      [
        ['sso.workload_identity.used', organization.owner.id, {}],
        ['sso.workload_identity.stopped', organization.owner.id, {}],
      ],
    );
  });

  test('takes precedence over a certificate, which is used again afterwards', async () => {
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    const certificates = `/connections/${organization.configurationId}/certificates`;
    const { body: certificate } = await organization.call(`POST ${certificates}`);
    await organization.call(`POST ${certificates}/${certificate.id}/use`);
    await world.renewToken();
    await use(organization);
    world.entra.trustHost(world.trust);
    assert.equal((await organization.signIn(bob)).status, 302);
    assert.equal(world.entra.assertions.at(-1)?.claims['iss'], issuer);
    world.entra.trustHost(undefined);
    await organization.call(`DELETE ${pathOf(organization)}`);
    await world.entra.requireCertificates([certificate.certificate]);
    assert.equal((await organization.signIn(bob)).status, 302);
    await world.entra.requireCertificates(undefined);
  });

  test('confirms that people may still sign in', async () => {
    const organization = await world.createNamed();
    await organization.putPolicy({ revalidateMinutes: 5 });
    await world.renewToken();
    await use(organization);
    world.entra.trustHost(world.trust);
    const subjectOfBob = organization.addPerson('Bob');
    const bob = await organization.enter(subjectOfBob);
    world.server.advance(minutesMs(6));
    const renewed = await world.renewToken();
    const checks = createChecks(world.server, [world.entra.host], world.environment);
    await checks.checkDue();
    // Those of other tests are checked as well.
    const { jti } = decodeJwt(renewed);
    assert.ok(world.entra.assertions.some(({ claims }) => claims['jti'] === jti));
    assert.equal(await isSignedIn(world.server, bob), true);
    world.entra.disable(subjectOfBob);
    world.server.advance(minutesMs(6));
    await world.renewToken();
    await checks.checkDue();
    assert.equal(await isSignedIn(world.server, bob), false);
    world.entra.trustHost(undefined);
  });

  test('ends sign-ins that began with other credentials', async () => {
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    await world.renewToken();
    const started = await organization.start();
    await use(organization);
    assert.equal((await organization.complete(started, bob)).body.code, 'sign_in_refused');
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'configuration_changed');
  });

  test('is no longer used with another client or tenant, and stays through any other change', async () => {
    const organization = await world.createNamed();
    await world.renewToken();
    const { usedSince } = await use(organization);
    await organization.save({ emailDomains: [organization.domain, 'other.example'] });
    assert.equal((await read(organization)).usedSince, usedSince);
    await organization.save({ clientId: 'another' });
    assert.equal((await read(organization)).usedSince, undefined);
    await use(organization);
    await organization.call('DELETE /config');
    await organization.save();
    assert.equal((await read(organization)).usedSince, undefined);
  });

  test('has no expiry to warn of', async () => {
    const organization = await world.createNamed();
    const { database, clock } = world.server;
    await organization.putPolicy({ secretExpiresAt: timestamp(clock() + daysMs(3)) });
    assert.deepEqual(
      (await organization.status()).reasons.map(({ code }) => code),
      ['secret_expires_soon'],
    );
    await world.renewToken();
    await use(organization);
    assert.deepEqual((await organization.status()).reasons, []);
    const mails: Mail[] = [];
    await mailSecretNotices(
      {
        database,
        clock,
        mailer: {
          isConfigured: true,
          send: async (mail) => {
            mails.push(mail);
            return { isSent: true };
          },
        },
        publicUrl: 'https://atrium.example',
      },
      new AbortController().signal,
    );
    assert.deepEqual(
      mails.filter(({ to }) => to === organization.owner.email),
      [],
    );
  });

  test('says what is wrong with the file, and what the errors of Entra mean', async () => {
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    await world.renewToken();
    // This test runs no checks, so they would be reported as late.
    await organization.putPolicy({ revalidateMinutes: 0 });
    await use(organization);
    world.entra.trustHost({ ...world.trust, subject: 'system:serviceaccount:default:other' });
    await organization.signIn(bob);
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'AADSTS700213');
    world.entra.trustHost(world.trust);
    assert.equal((await organization.signIn(bob)).status, 302);
    world.server.advance(hoursMs(1) + 1_000);
    const problem = {
      code: 'workload_token_unusable',
      message:
        'The token file of this server contains a token that has expired, so the host has not renewed it.',
      remedy:
        'Have the operator of the server check the file of ATRIUM_WORKLOAD_TOKEN_FILE, or stop using the workload identity.',
    };
    const { state, reasons } = await organization.status();
    assert.deepEqual([state, reasons], ['blocked', [problem]]);
    const { usedSince, ...rest } = await read(organization);
    assert.deepEqual(rest, { isOffered: true, problem });
    assert.ok(usedSince);
    await organization.signIn(bob);
    assert.equal((await organization.refusals()).at(-1)?.['code'], problem.code);
    assert.deepEqual((await organization.test(bob)).failed, [problem.code]);
    assert.equal(
      (await organization.call(`PUT ${pathOf(organization)}`)).body.code,
      'workload_identity_unavailable',
    );
    await world.renewToken();
    assert.equal((await organization.signIn(bob)).status, 302);
    world.entra.trustHost(undefined);
  });
});
