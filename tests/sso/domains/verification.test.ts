import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysMs } from '../../../src/server/base/clock.ts';
import { createTxtResolver, domainRecord } from '../../../src/server/sso/domains/record.ts';
import { recheckDomains } from '../../../src/server/sso/domains/checks.ts';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { describeSignIns, type SsoWorld } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { problemOf } from '../../support/server/test-server.ts';

const publish = ({ dns }: SsoWorld, { id }: SsoOrganization, domain: string) => {
  const { name, value } = domainRecord(id, domain);
  dns.publish(name, value);
};

describeSignIns('the verification of a domain', (world) => {
  const stateOf = async ({ status }: SsoOrganization) => (await status()).domains[0]?.state;

  test('succeeds for one of two organizations that verify it at the same time', async () => {
    const domain = 'race.example';
    const rivals = [await world.createUnverified(domain), await world.createUnverified(domain)];
    const values = rivals.map(({ id }) => domainRecord(id, domain).value);
    world.dns.publish(`_atrium.${domain}`, ...values);
    const responses = await Promise.all(rivals.map((organization) => organization.verify(domain)));
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    );
    const lost = responses.findIndex(({ status }) => status === 409);
    const [loser, winner] = [rivals[lost], rivals[1 - lost]];
    assert.ok(loser && winner && responses[lost]);
    assert.deepEqual(problemOf(responses[lost]), { status: 409, code: 'domain_taken' });
    assert.deepEqual([await stateOf(loser), await stateOf(winner)], ['unproven', 'proven']);
    assert.equal((await winner.verify(domain)).status, 200);
    const asked = await world.server.call('POST /api/sso/sign-in', { body: { email: `a@${domain}` } });
    assert.ok(asked.body.url.includes(`/api/sso/start/${winner.id}?`), asked.text);

    // Once one has released it, the other can verify it.
    await winner.save();
    assert.equal(await world.methodOf(`a@${domain}`), 'sso');
    await winner.save({ emailDomains: ['another.example'] });
    assert.equal(await world.methodOf(`a@${domain}`), 'password');
    assert.equal((await loser.verify(domain)).status, 200);
  });

  test('is not blocked by organizations that only claim the domain', async () => {
    const domain = 'claimed.example';
    const squatter = await world.createUnverified(domain);
    assert.equal(await world.methodOf(`a@${domain}`), 'password');
    const organization = await world.createUnverified(domain);
    publish(world, organization, domain);
    assert.equal((await organization.verify(domain)).status, 200);
    assert.equal((await squatter.verify(domain)).body.code, 'domain_not_proven');
    const own = organization.addPerson('Bob', { preferred_username: `bob@${domain}` });
    const person = await organization.enter(own);
    assert.equal(person.email, `bob@${domain}`);
    const { reasons } = await squatter.status();
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['no_proven_domain', 'domain_unproven'],
    );
    assert.equal((await world.server.call(`GET /api/sso/start/${squatter.id}`)).body.code, 'sign_in_refused');
  });

  test('is impossible for a public email provider or an invalid domain', async () => {
    const domains = ['gmail.com', 'outlook.com', 'localhost', 'no domain'];
    const organization = await world.createOrganization({
      configuration: { emailDomains: domains },
      isVerified: false,
    });
    for (const domain of domains) {
      publish(world, organization, domain);
      const verified = await organization.verify(encodeURIComponent(domain));
      assert.ok(['domain_not_proven', 'not_found'].includes(verified.body.code), verified.text);
      const byOperator = verifyDomainAsOperator(world.server.database, Date.now, {
        organizationId: organization.id,
        domain,
      });
      await assert.rejects(byOperator, { name: 'AtriumError' });
    }
    const { reasons, domains: described } = await organization.status();
    assert.deepEqual(
      described.map(({ state }) => state),
      ['unusable', 'unusable', 'unusable', 'unusable'],
    );
    assert.match(described[0]?.reason ?? '', /public email provider/);
    assert.equal(reasons.filter(({ code }) => code === 'domain_unusable').length, 4);
    assert.equal(await world.methodOf('a@gmail.com'), 'password');
  });

  test('is only allowed to admins of the configuration, for a domain in it', async () => {
    const organization = await world.createUnverified('asked.example');
    const path = `POST /api/sso/orgs/${organization.id}/domains/asked.example/verify`;
    const { server } = world;
    const editor = await server.createMember(organization.id, 'editor');
    assert.equal((await server.call(path, { as: editor })).status, 403);
    assert.equal((await server.call(path, { as: await server.createPerson() })).status, 404);
    assert.equal((await server.call(path)).status, 401);
    assert.equal((await organization.verify('other.example')).status, 404);
    assert.equal((await organization.verify('ASKED.example')).body.code, 'domain_not_proven');
  });

  test('is checked daily, and ends if the record is missing for three days', async () => {
    const { server, dns } = world;
    const domain = 'daily.example';
    const organization = await world.createUnverified(domain);
    const { name, value } = domainRecord(organization.id, domain);
    dns.publish(name, value);
    // The test advances this clock, which starts at the server's time.
    let now = Date.parse((await organization.verify(domain)).body.provenAt);
    const resolveTxt = createTxtResolver([{ host: '127.0.0.1', port: Number(dns.address.split(':')[1]) }]);
    const afterDays = async (days: number) => {
      now += daysMs(days) + 1;
      await recheckDomains(server.database, () => now, resolveTxt);
      const [described] = (await organization.call('GET /domains')).body.items;
      return described;
    };
    const there = await afterDays(1);
    assert.deepEqual([there.state, there.checkedAt], ['proven', new Date(now).toISOString()]);
    assert.equal((await afterDays(0.5)).checkedAt, there.checkedAt);

    dns.publish(name, 'something else');
    const missing = await afterDays(1);
    assert.equal(missing.state, 'proven');
    assert.match(missing.reason, /missing since/);
    const { state, reasons } = await organization.status();
    assert.deepEqual([state, reasons.map(({ code }) => code)], ['ready', ['domain_record_missing']]);
    assert.equal((await afterDays(1)).state, 'proven');
    dns.publish(name, value);
    const back = await afterDays(1);
    assert.deepEqual([back.state, back.reason], ['proven', undefined]);

    dns.publish(name);
    assert.equal((await afterDays(1)).state, 'proven');
    dns.fail(true);
    assert.equal((await afterDays(4)).state, 'proven');
    dns.fail(false);
    assert.equal((await afterDays(1)).state, 'unproven');
    assert.equal(await world.methodOf(`a@${domain}`), 'password');
    assert.deepEqual(
      (await organization.audit())
        .map(({ action }) => action)
        .filter((action) => action.startsWith('sso.domain')),
      ['sso.domain.proven', 'sso.domain.lost'],
    );
  });

  test('by the operator stays, whatever DNS returns', async () => {
    const { server, dns } = world;
    const domain = 'verified.example';
    const organization = await world.createUnverified(domain);
    publish(world, organization, domain);
    const proven = await organization.verify(domain);
    let now = Date.parse(proven.body.provenAt);
    const verified = await verifyDomainAsOperator(server.database, () => now, {
      organizationId: organization.id,
      domain,
    });
    assert.equal(verified.provenBy, 'operator');
    const audit = await organization.audit('sso.domain.proven');
    assert.deepEqual(
      audit.map(({ actorId, details }) => [actorId, details]),
      [
        [organization.owner.id, { domain, provenBy: 'dns' }],
        [undefined, { domain, provenBy: 'operator', before: 'dns' }],
      ],
    );
    dns.publish(`_atrium.${domain}`);
    for (let day = 0; day < 5; day += 1) {
      now += daysMs(1) + 1;
      await recheckDomains(
        server.database,
        () => now,
        async () => ({ records: [] }),
      );
    }
    assert.equal(await stateOf(organization), 'proven');
  });

  test('is not lost by the next organization because of a late DNS response for the previous one', async () => {
    const { server } = world;
    const domain = 'moved.example';
    const [one, next] = [await world.createUnverified(domain), await world.createUnverified(domain)];
    publish(world, one, domain);
    const { provenAt } = (await one.verify(domain)).body;
    const now = Date.parse(provenAt) + daysMs(1) + 1;
    const gone = async () => ({ records: [] });
    await recheckDomains(server.database, () => now, gone);
    await recheckDomains(
      server.database,
      () => now + daysMs(3) + 1,
      async () => {
        await one.save({ emailDomains: ['elsewhere.example'] });
        publish(world, next, domain);
        assert.equal((await next.verify(domain)).status, 200);
        return { records: [] };
      },
    );
    assert.equal(await stateOf(next), 'proven');
  });

  test('that ends between the start and the callback of a sign-in makes it fail', async () => {
    const domain = 'while.example';
    const organization = await world.createOrganization({
      configuration: { emailDomains: [domain, 'kept.example'] },
      isVerified: false,
    });
    const { server } = world;
    for (const each of [domain, 'kept.example']) {
      await verifyDomainAsOperator(server.database, Date.now, {
        organizationId: organization.id,
        domain: each,
      });
    }
    const bob = organization.addPerson('Bob', { preferred_username: `bob@${domain}` });
    const started = await organization.start();
    await organization.save({ emailDomains: ['kept.example'] });
    assert.equal((await organization.complete(started, bob)).body.code, 'sign_in_expired');
    const { code, detail } = await organization.refusal(bob);
    assert.equal(code, 'sign_in_refused');
    assert.match(
      detail,
      /The domain is while\.example, which the organization has not verified\. Add the domain/,
    );
  });
});
