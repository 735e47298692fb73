import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursMs, minutesMs } from '../../../src/server/base/clock.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('a directory that fails', (world) => {
  test('refuses a wrong client secret, which the status reports until a sign-in succeeds again', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    assert.equal((await organization.signIn(subject)).status, 302);
    server.advance(minutesMs(1));
    await organization.save({ clientSecret: 'a wrong secret' });
    const { status, code, detail } = await organization.refusal(subject);
    assert.deepEqual([status, code], [403, 'sign_in_refused']);
    assert.match(detail, /^The identity provider returned the error invalid_client/);

    const failing = await organization.status();
    assert.equal(failing.state, 'failing');
    const [reason] = failing.reasons;
    assert.equal(reason?.code, 'invalid_client');
    assert.equal(`${reason?.message} ${reason?.remedy}`, detail);
    assert.equal(failing.lastFailure?.message, reason?.message);
    assert.equal(failing.lastSuccess?.message, `bob@${organization.domain} signed in as viewer.`);
    const [refused] = await organization.refusals();
    assert.deepEqual(refused, {
      code: 'invalid_client',
      message: reason?.message,
      address: '127.0.0.1',
    });

    server.advance(minutesMs(1));
    await organization.putPolicy({ secretExpiresAt: '2020-01-31' });
    assert.match((await organization.refusal(subject)).detail, /The secret expired on 2020-01-31\./);
    server.advance(minutesMs(1));
    await organization.save();
    await organization.putPolicy({});
    assert.equal((await organization.status()).state, 'failing');
    await organization.enter(subject);
    const ready = await organization.status();
    assert.deepEqual([ready.state, ready.reasons], ['ready', []]);
  });

  test('does not count as failing if it refuses one person, who is recorded', async () => {
    const organization = await world.createOrganization();
    const bob = organization.addPerson('Bob');
    assert.equal((await organization.signIn(bob)).status, 302);
    for (const [claims, code] of [
      [{ preferred_username: 'guest@elsewhere.example' }, 'domain_refused'],
      [{ preferred_username: 'no address' }, 'email_refused'],
    ] as const) {
      world.server.advance(minutesMs(1));
      const { detail } = await organization.refusal(organization.addPerson('Guest', claims));
      const { state, reasons, lastFailure } = await organization.status();
      assert.deepEqual([state, reasons], ['ready', []], code);
      assert.ok(detail.startsWith(lastFailure?.message ?? 'none'), code);
      assert.equal((await organization.refusals()).at(-1)?.['code'], code);
    }
  });

  test('can sign with a new key at any time, and people can still sign in', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const bob = await organization.enter(subject);
    await world.entra.rotateKey();
    assert.equal((await organization.enter(subject)).id, bob.id);
    world.server.advance(hoursMs(2));
    assert.equal((await organization.enter(subject)).id, bob.id);
    assert.equal((await organization.status()).state, 'ready');
  });

  test('is reported in time if it is down', async () => {
    const { server, adfs } = world;
    const [known, fresh] = [
      await world.createOrganization({ directory: adfs }),
      await world.createOrganization({ directory: adfs }),
    ];
    const subject = known.addPerson('Bob');
    const started = await known.start();
    const back = new URL(await adfs.signIn(started.url, subject));
    await adfs.stop();
    const startedAt = performance.now();
    const atCallback = await server.call(`GET ${back.pathname}${back.search}`, {
      headers: { cookie: started.cookie },
    });
    const atStart = await server.call(`GET /api/sso/start/${fresh.id}`);
    assert.ok(performance.now() - startedAt < 10_000);
    for (const [response, organization] of [
      [atCallback, known],
      [atStart, fresh],
    ] as const) {
      assert.deepEqual([response.status, response.body.code], [403, 'sign_in_refused']);
      assert.ok(
        response.body.detail.includes(`Could not connect to http://${adfs.host}: the connection was refused`),
        response.text,
      );
      const { state, reasons } = await organization.status();
      assert.deepEqual([state, reasons[0]?.code], ['failing', 'provider_unreachable']);
    }
    const test = await fresh.call('POST /config/test');
    assert.deepEqual([test.status, test.body.code], [409, 'sso_not_ready']);
    assert.match(test.body.detail, /: the connection was refused\. Check the discovery URL/);
    // Signing out does not wait for the directory either.
    const ada = await server.createSsoSession(fresh.owner, fresh.id);
    assert.deepEqual((await server.call('POST /api/auth/sign-out', { as: ada })).body, {});
  });
});
