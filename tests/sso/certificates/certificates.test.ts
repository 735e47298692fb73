import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { daysMs, timestamp } from '../../../src/server/base/clock.ts';
import type { Mail } from '../../../src/server/mail/mailer.ts';
import { createSecretBox } from '../../../src/server/base/credentials/secret-box.ts';
import { rotateCertificates } from '../../../src/server/sso/certificates/certificates.ts';
import { rotatePrivateKeys } from '../../../src/server/sso/certificates/keys.ts';
import { mailSecretNotices } from '../../../src/server/sso/notices/notices.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { addConnection } from '../../support/sso/connection.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { describeSignIns } from '../../support/sso/world.ts';

const stored = prepare((sql, p: { configurationId: string }) =>
  sql.selectFrom('sso_certificates').selectAll().where('configuration_id', '=', p.configurationId),
);
const expire = prepare((sql, p: { configurationId: string; at: string }) =>
  sql
    .updateTable('sso_certificates')
    .set({ expires_at: p.at })
    .where('configuration_id', '=', p.configurationId),
);

describeSignIns('a certificate instead of a client secret', (world) => {
  const pathOf = ({ configurationId }: Pick<SsoOrganization, 'configurationId'>) =>
    `/connections/${configurationId}/certificates`;
  const create = async (organization: SsoOrganization) => {
    const response = await organization.call(`POST ${pathOf(organization)}`);
    assert.equal(response.status, 201, response.text);
    return response.body;
  };
  const use = async (organization: SsoOrganization, { id }: { id: string }) => {
    const response = await organization.call(`POST ${pathOf(organization)}/${id}/use`);
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  const list = async (organization: SsoOrganization) =>
    (await organization.call(`GET ${pathOf(organization)}`)).body.items;

  test('is created with a key that never leaves the server', async () => {
    const organization = await world.createOrganization();
    assert.deepEqual(await list(organization), []);
    const created = await create(organization);
    const { certificate, ...facts } = created;
    const x509 = new X509Certificate(certificate);
    const now = world.server.clock();
    assert.deepEqual(facts, {
      id: created.id,
      thumbprint: createHash('sha1').update(x509.raw).digest('hex').toUpperCase(),
      createdAt: timestamp(now),
      expiresAt: timestamp(now + daysMs(365)),
    });
    assert.ok(x509.checkIssued(x509) && x509.verify(x509.publicKey));
    assert.deepEqual([x509.subject, x509.ca], ['CN=Atrium', false]);
    assert.deepEqual(
      [x509.validFromDate.getTime(), x509.validToDate.getTime()],
      [now - daysMs(1), now + daysMs(365)],
    );
    assert.deepEqual(x509.publicKey.asymmetricKeyDetails, {
      modulusLength: 3_072,
      publicExponent: 65_537n,
    });
    const [row, ...others] = await world.server.database.all(stored, organization);
    const key = world.server.secretBox.open(organization.id, 'sso-client-key', row?.private_key ?? '');
    assert.deepEqual(others, []);
    for (const text of [JSON.stringify(row), world.server.log.join(''), JSON.stringify(created)])
      assert.ok(!text.includes(key.slice(100, 200)));
    // It is used only once it was uploaded.
    assert.equal((await organization.signIn(organization.addPerson('Bob'))).status, 302);
    assert.deepEqual(world.entra.assertions, []);
  });

  test('signs people in at Entra, and is replaced without an interruption', async () => {
    const organization = await world.createOrganization();
    const bob = organization.addPerson('Bob');
    const first = await create(organization);
    const { usedSince, ...rest } = await use(organization, first);
    assert.deepEqual([rest, usedSince], [first, timestamp(world.server.clock())]);
    await world.entra.requireCertificates([first.certificate]);
    assert.equal((await organization.signIn(bob)).status, 302);
    const { header, claims } = world.entra.assertions.at(-1) ?? { header: {}, claims: {} };
    const { raw } = new X509Certificate(first.certificate);
    assert.deepEqual(header, {
      alg: 'PS256',
      typ: 'JWT',
      'x5t#S256': createHash('sha256').update(raw).digest('base64url'),
    });
    const { jti, iat, nbf, exp, ...named } = claims;
    const { clientId, issuer } = world.entra;
    assert.deepEqual(named, { iss: clientId, sub: clientId, aud: `${issuer}/token` });
    assert.ok(typeof jti === 'string' && iat === nbf && Number(exp) - Number(iat) <= 600);
    // The next one is uploaded beside it, and then used.
    const second = await create(organization);
    assert.deepEqual(
      (await list(organization)).map(({ id }: { id: string }) => id),
      [first.id, second.id],
    );
    await world.entra.requireCertificates([first.certificate, second.certificate]);
    assert.equal((await organization.signIn(bob)).status, 302);
    await use(organization, second);
    assert.equal((await organization.signIn(bob)).status, 302);
    await world.entra.requireCertificates([second.certificate]);
    assert.equal((await organization.signIn(bob)).status, 302);
    assert.deepEqual(
      (await list(organization)).map(({ id }: { id: string }) => id),
      [second.id],
    );
    // Each assertion is sent once.
    const ids = world.entra.assertions.map((each) => each.claims['jti']);
    assert.equal(new Set(ids).size, ids.length);
    await world.entra.requireCertificates(undefined);
    assert.equal((await organization.signIn(bob)).status, 403);
    assert.equal((await organization.call(`DELETE ${pathOf(organization)}/${second.id}`)).status, 204);
    assert.equal((await organization.signIn(bob)).status, 302, 'with the secret again');
    assert.deepEqual(
      (await organization.audit())
        .map(({ action }) => action)
        .filter((action) => action.includes('certificate')),
      ['created', 'used', 'created', 'used', 'deleted'].map((what) => `sso.certificate.${what}`),
    );
  });

  test('signs people in at AD FS and other providers, without any secret', async () => {
    for (const directory of [world.adfs, world.openId]) {
      const organization = await world.createOrganization();
      const connection = await addConnection(world.server, organization, directory);
      const created = (await connection.call('POST /certificates')).body;
      await connection.call(`POST /certificates/${created.id}/use`);
      assert.equal((await connection.save({ clientSecret: '' })).status, 200);
      assert.deepEqual((await connection.call('GET /status')).body.state, 'ready');
      await directory.requireCertificates([created.certificate]);
      assert.equal((await connection.signIn(connection.addPerson('Bob'))).status, 302);
      const { header, claims } = directory.assertions.at(-1) ?? { header: {}, claims: {} };
      const { raw } = new X509Certificate(created.certificate);
      const digest = (name: string) => createHash(name).update(raw).digest('base64url');
      assert.deepEqual(header, {
        alg: 'RS256',
        typ: 'JWT',
        x5t: digest('sha1'),
        'x5t#S256': digest('sha256'),
      });
      assert.equal(claims['aud'], directory.issuer);
      await directory.requireCertificates(undefined);
    }
  });

  test('is gone with a changed client or provider, and stays through any other change', async () => {
    const organization = await world.createOrganization();
    await use(organization, await create(organization));
    await create(organization);
    await organization.save({ emailDomains: [organization.domain, 'other.example'] });
    assert.equal((await list(organization)).length, 2);
    await organization.save({ clientId: 'another' });
    assert.deepEqual(await list(organization), []);
    await use(organization, await create(organization));
    await organization.call('DELETE /config');
    assert.deepEqual(await world.server.database.all(stored, organization), []);
  });

  test('that nears its end is in the status, instead of the expiry of the secret', async () => {
    const organization = await world.createOrganization();
    await organization.putPolicy({ secretExpiresAt: timestamp(world.server.clock() + daysMs(1)) });
    await use(organization, await create(organization));
    const reasons = async () => (await organization.status()).reasons.map(({ message }) => message);
    const { body: before } = await organization.call('GET /status');
    assert.deepEqual([before.state, before.reasons], ['ready', []]);
    const expireIn = (days: number) =>
      world.server.database.write((transaction) =>
        transaction.run(expire, {
          configurationId: organization.configurationId,
          at: timestamp(world.server.clock() + daysMs(days)),
        }),
      );
    await expireIn(60);
    assert.deepEqual(await reasons(), ['The certificate expires in 60 days.']);
    await expireIn(0.5);
    assert.deepEqual(await reasons(), ['The certificate expires in 1 day.']);
    await expireIn(-0.5);
    assert.match((await reasons())[0] ?? '', /^The certificate expired on \d{4}-\d\d-\d\d\.$/);
  });

  test('that expires is announced to owners instead of the secret', async () => {
    const organization = await world.createOrganization();
    const { database, clock } = world.server;
    await organization.putPolicy({ secretExpiresAt: timestamp(clock() + daysMs(3)) });
    await use(organization, await create(organization));
    const mails: Mail[] = [];
    const send = async (mail: Mail) => {
      mails.push(mail);
      return { isSent: true } as const;
    };
    const run = async (day: number) => {
      mails.length = 0;
      await mailSecretNotices(
        {
          database,
          clock: () => clock() + daysMs(day),
          mailer: { isConfigured: true, send },
          publicUrl: 'https://atrium.example',
        },
        new AbortController().signal,
      );
      return mails
        .filter(({ to }) => to === organization.owner.email)
        .map(({ kind, text }) => `${kind} ${/in \d+ days/.exec(text)?.[0]}`);
    };
    const subject = (days: number) => `certificate_expires in ${days} days`;
    assert.deepEqual(await run(1), []);
    assert.deepEqual(await run(305), [subject(60)]);
    assert.deepEqual(await run(306), []);
    assert.deepEqual(await run(335), [subject(30)]);
    assert.deepEqual(await run(358), [subject(7)]);
    assert.deepEqual(await run(359), []);
  });

  test('is followed by one that the server creates in time, and uses once the one before has expired', async () => {
    const organization = await world.createOrganization();
    const bob = organization.addPerson('Bob');
    const first = await use(organization, await create(organization));
    const { database, secretBox, clock } = world.server;
    const run = (days: number, stopped = new AbortController().signal) =>
      rotateCertificates({ database, secretBox, clock: () => clock() + daysMs(days) }, stopped);
    const ids = async () => (await list(organization)).map(({ id }: { id: string }) => id);
    await run(304);
    await run(306, AbortSignal.abort());
    assert.deepEqual(await ids(), [first.id]);
    // Two processes at once create one.
    await Promise.all([run(306), run(306)]);
    const [kept, next, ...others] = await list(organization);
    assert.deepEqual([kept, next.usedSince, others], [first, undefined, []]);
    assert.equal(next.expiresAt, timestamp(clock() + daysMs(306 + 365)));
    await run(364);
    assert.deepEqual(await ids(), [first.id, next.id], 'the first one still works');
    assert.equal((await list(organization))[1].usedSince, undefined);
    await world.entra.requireCertificates([next.certificate]);
    assert.equal((await organization.signIn(bob)).status, 403);
    await run(366);
    assert.deepEqual(await list(organization), [{ ...next, usedSince: timestamp(clock() + daysMs(366)) }]);
    assert.equal((await organization.signIn(bob)).status, 302);
    await world.entra.requireCertificates(undefined);
    assert.deepEqual(
      (await organization.audit())
        .filter(({ action }) => action.includes('certificate'))
        .map(({ action, actorId }) => [action, actorId === undefined]),
      [
        ['sso.certificate.created', false],
        ['sso.certificate.used', false],
        ['sso.certificate.created', true],
        ['sso.certificate.used', true],
      ],
    );
    // The configuration of a deleted organization is not found, which must not stop those of others.
    const deleted = await world.createOrganization();
    await use(deleted, await create(deleted));
    await database.write((transaction) =>
      transaction.execute(
        `insert into deleted_organizations (organization_id, deleted_at, ends_at)
         values ('${deleted.id}', '${timestamp(clock())}', '${timestamp(clock() + daysMs(30))}')`,
      ),
    );
    await run(360);
    // A directory that is off needs none.
    await organization.save({ enabled: false });
    await run(366 + 364);
    assert.deepEqual(await ids(), [next.id]);
  });

  test('is rotated with the root key, and one that can’t be read says so', async () => {
    const organization = await world.createOrganization();
    await use(organization, await create(organization));
    const { database } = world.server;
    const [newer, older] = [
      'a newer root key of this test, 32 characters',
      'the root key of the tests, 32 characters or more',
    ] as const;
    assert.ok((await rotatePrivateKeys(database, createSecretBox([newer, older]))) >= 1);
    assert.deepEqual(
      (await organization.status()).reasons.map(({ code }) => code),
      ['secret_unreadable'],
    );
    assert.ok((await rotatePrivateKeys(database, createSecretBox([older, newer]))) >= 1);
    assert.deepEqual((await organization.status()).reasons, []);
  });

  test('belongs to one directory of one organization', async () => {
    const [organization, other] = [await world.createOrganization(), await world.createOrganization()];
    const mine = await create(organization);
    const connection = await addConnection(world.server, organization, world.openId);
    for (const [caller, path] of [
      [other, `${pathOf(other)}/${mine.id}`],
      [other, `${pathOf(organization)}/${mine.id}`],
      [organization, `/connections/${connection.id}/certificates/${mine.id}`],
    ] as const) {
      assert.equal((await caller.call(`POST ${path}/use`)).status, 404);
      assert.equal((await caller.call(`DELETE ${path}`)).status, 404);
    }
    const editor = await world.server.createMember(organization.id, 'editor');
    assert.equal((await organization.call(`POST ${pathOf(organization)}`, { as: editor })).status, 403);
    assert.equal((await list(organization)).length, 1);
  });
});
