import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainRecord } from '../../../src/server/sso/domains/record.ts';
import { startDirectory } from '../../support/sso/directory.ts';
import { startDnsServer } from '../../support/network/dns-server.ts';
import {
  cookieOf,
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
} from '../../support/server/server-process.ts';
import { tenantId } from '../../support/sso/world.ts';
import { pathOf } from '../../support/sso/responses.ts';

test('a sign-in started at one server can be completed at another on the same PostgreSQL', async (context) => {
  const [directory, dns] = await Promise.all([startDirectory({ tenantId }), startDnsServer()]);
  context.after(() => Promise.all([directory.stop(), dns.stop()]));
  const environment = {
    ...(await freshPlace(context, 'PostgreSQL')),
    ...ownerSettings,
    ATRIUM_SSO_ENTRA_AUTHORITY: `http://${directory.host}`,
    ATRIUM_SSO_PRIVATE_HOSTS: directory.host,
    ATRIUM_DNS_SERVERS: dns.address,
  };
  const [one, other] = await Promise.all([
    startServerProcess(context, { environment }),
    startServerProcess(context, { environment }),
  ]);
  const owner = await signInOwner(one);
  const paths = `/api/sso/orgs/${owner.organizationId}`;
  const domain = 'replicas.example';
  const configuration = {
    provider: 'idp_ad',
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    tenantId,
    emailDomains: [domain],
    enabled: true,
  };
  assert.equal((await send(owner, `POST ${paths}/config`, { body: configuration })).status, 200);
  const record = domainRecord(owner.organizationId, domain);
  dns.publish(record.name, record.value);
  const atOther = { ...owner, url: other.url };
  assert.equal((await send(atOther, `POST ${paths}/domains/${domain}/verify`)).status, 200);
  directory.allowRedirect((await send(owner, `GET ${paths}/status`)).body.redirectUri);
  directory.addPerson({
    subject: 'oid of bob',
    claims: { preferred_username: `bob@${domain}`, name: 'Bob' },
  });

  const asked = await send(one, 'POST /api/sso/sign-in', { body: { email: `bob@${domain}` } });
  const start = await send(one, `GET ${pathOf(asked.body.url)}`);
  assert.equal(start.status, 302);
  const back = await directory.signIn(String(start.headers.location), 'oid of bob');
  const done = await send({ url: other.url, cookie: cookieOf(start.headers) }, `GET ${pathOf(back)}`);
  assert.equal(done.status, 302);
  const cookie = cookieOf(done.headers);
  for (const { url } of [one, other]) {
    const { body } = await send({ url, cookie }, 'GET /api/auth/get-session');
    assert.deepEqual([body.user.email, body.session.organizationId], [`bob@${domain}`, owner.organizationId]);
  }
  // The code is used up at every server.
  assert.equal(
    (await send({ url: one.url, cookie: cookieOf(start.headers) }, `GET ${pathOf(back)}`)).status,
    400,
  );

  // Turning off the configuration at one server applies to the other at once.
  const second = await send(other, `GET /api/sso/start/${owner.organizationId}`);
  const late = await directory.signIn(String(second.headers.location), 'oid of bob');
  const off = { ...configuration, enabled: false, clientSecret: undefined };
  assert.equal((await send(owner, `POST ${paths}/config`, { body: off })).status, 200);
  const refused = await send({ url: other.url, cookie: cookieOf(second.headers) }, `GET ${pathOf(late)}`);
  assert.equal(refused.status, 400);
  assert.equal((await send({ url: other.url, cookie }, 'GET /api/auth/get-session')).status, 401);
  assert.equal((await send(other, `GET /api/sso/start/${owner.organizationId}`)).status, 404);
});
