import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { addConnection } from '../../support/sso/connection.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { tenantId } from '../../support/sso/world.ts';
import { describeWorkloads, pathOf } from './world.ts';

const force = prepare((sql, p: { id: string }) =>
  sql
    .updateTable('sso_configurations')
    .set({ workload_identity_since: '2026-11-21T09:00:00.000Z' })
    .where('id', '=', p.id),
);

describeWorkloads('attacks on the workload identity of the server', (world) => {
  const use = (organization: SsoOrganization) => organization.call(`PUT ${pathOf(organization)}`);
  /** As if a directory used it, whatever the rules of the operation are. */
  const forceUse = (id: string) =>
    world.server.database.write((transaction) => transaction.run(force, { id }));

  test('an organization that the operator has not named never has the token read or sent', async () => {
    await world.renewToken();
    const organization = await world.createOrganization();
    const refused = await use(organization);
    assert.deepEqual([refused.status, refused.body.code], [409, 'workload_identity_unavailable']);
    const { body } = await organization.call(`GET ${pathOf(organization)}`);
    assert.deepEqual(
      [body.isOffered, body.issuer, body.problem.code],
      [false, undefined, 'workload_identity_not_offered'],
    );
    // Nor does it learn what is wrong with the file of others.
    world.writeFile('broken');
    assert.equal(
      (await organization.call(`GET ${pathOf(organization)}`)).body.problem.code,
      'workload_identity_not_offered',
    );
    await world.renewToken();
    const received = world.entra.assertions.length;
    world.entra.trustHost(world.trust);
    await forceUse(organization.configurationId);
    await organization.signIn(organization.addPerson('Bob'));
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'workload_identity_not_offered');
    assert.equal((await organization.status()).state, 'blocked');
    assert.equal(world.entra.assertions.length, received);
    // The way back is open.
    world.entra.trustHost(undefined);
    assert.equal((await organization.call(`DELETE ${pathOf(organization)}`)).status, 204);
    assert.equal((await organization.signIn(organization.addPerson('Bob'))).status, 302);
  });

  test('a directory that an organization has entered never receives it, not even one that looks like Entra', async (context) => {
    const token = await world.renewToken();
    const organization = await world.createNamed();
    const lookalike = await startLookalike(context);
    const url = `${lookalike.origin}/${tenantId}/v2.0/.well-known/openid-configuration`;
    for (const changes of [
      { discoveryUrl: url },
      { tenantId: undefined, discoveryUrl: world.adfs.discoveryUrl },
    ]) {
      await organization.save(changes);
      const refused = await use(organization);
      assert.deepEqual([refused.status, refused.body.code], [409, 'workload_identity_unavailable']);
      await forceUse(organization.configurationId);
      assert.equal((await organization.status()).state, 'blocked');
    }
    const connection = await addConnection(world.server, organization, world.openId);
    assert.equal(
      (await connection.call('PUT /workload-identity')).body.code,
      'workload_identity_unavailable',
    );
    await forceUse(connection.id);
    await connection.signIn(connection.addPerson('Bob'));
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'workload_identity_not_entra');
    assert.ok(!lookalike.received.join('\n').includes(token));
    assert.equal(world.openId.assertions.length + world.adfs.assertions.length, 0);
  });

  test('a directory that is pointed elsewhere no longer uses it', async () => {
    await world.renewToken();
    const organization = await world.createNamed();
    assert.equal((await use(organization)).status, 200);
    await organization.save({ discoveryUrl: world.adfs.discoveryUrl, tenantId: undefined });
    await organization.save();
    assert.equal((await organization.call(`GET ${pathOf(organization)}`)).body.usedSince, undefined);
  });

  test('a token endpoint that redirects does not pass it on', async (context) => {
    await world.renewToken();
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    assert.equal((await use(organization)).status, 200);
    const lookalike = await startLookalike(context);
    world.entra.redirectToken = `${lookalike.origin}/token`;
    context.after(() => (world.entra.redirectToken = undefined));
    assert.equal((await organization.signIn(bob)).status, 403);
    assert.equal(lookalike.received.length, 0);
  });

  test('it is in no log, audit entry, response, export or row, even if Entra repeats it', async () => {
    const token = await world.renewToken();
    const organization = await world.createNamed();
    const bob = organization.addPerson('Bob');
    const returned = [(await use(organization)).text];
    // The directory repeats the assertion in its error.
    world.entra.trustHost({ ...world.trust, subject: 'another' });
    returned.push((await organization.signIn(bob)).text, JSON.stringify(await organization.test(bob)));
    world.entra.trustHost({ ...world.trust, issuer: 'https://another.example' });
    returned.push((await organization.signIn(bob)).text);
    for (const path of ['/status', '/config', pathOf(organization)])
      returned.push((await organization.call(`GET ${path}`)).text);
    returned.push(JSON.stringify(await organization.audit()));
    // The most that a file can have is shown nowhere either.
    world.writeFile(`${token}.${token}`);
    returned.push((await organization.signIn(bob)).text, (await organization.call('GET /status')).text);
    world.entra.trustHost(undefined);
    const { database, log } = world.server;
    const stored = [];
    for (const table of [
      'sso_outcomes',
      'sso_tests',
      'audit_entries',
      'sso_configurations',
      'sso_attempts',
    ] as const)
      stored.push(
        JSON.stringify(
          await database.all(
            prepare((sql) => sql.selectFrom(table).selectAll()),
            {},
          ),
        ),
      );
    const [, payload = '', signature = ''] = token.split('.');
    for (const [place, texts] of Object.entries({ responses: returned, rows: stored, log })) {
      const all = texts.join('\n');
      assert.ok(all.length > 100, place);
      for (const part of [token, payload, signature]) assert.ok(!all.includes(part), place);
    }
  });

  test('only owners and admins see and change it, each for their own organization', async () => {
    await world.renewToken();
    const [organization, other] = [await world.createNamed(), await world.createOrganization()];
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const editor = await world.server.createMember(organization.id, 'editor');
      const line = `${method} ${pathOf(organization)}`;
      assert.equal((await organization.call(line, { as: editor })).status, 403, method);
      assert.equal((await other.call(line)).status, 404, method);
    }
  });
});

/** Starts a server that records what it receives. */
async function startLookalike(context: TestContext): Promise<{ origin: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
