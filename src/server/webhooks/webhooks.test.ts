import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../../../tests/support/network/free-port.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';
import {
  bodiesOf,
  everything,
  openWebhooks,
  verify,
  type Received,
} from '../../../tests/support/webhooks.ts';
import { hoursMs } from '../base/clock.ts';
import { createSecretBox } from '../base/credentials/secret-box.ts';
import { publishEvent } from '../events/events.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { prepare } from '../storage/prepared-query.ts';
import { discardWebhookSecrets, listSealedWebhookSecrets, rotateWebhookSecrets } from './secrets.ts';
import { createWebhookSender } from './sender.ts';

const allStored = prepare((db) =>
  db.selectFrom('webhooks').select(['secret', 'previous_secret', 'url', 'events']),
);

describeOnUsualEngine('a webhook', (engine) => {
  test('is sent what happens to dashboards and members, signed, and without contents', async (context) => {
    const { server, owner, organizationId, receiver, sender, call, create, save, deliveries } =
      await openWebhooks(context, engine);
    const webhook = await create();
    const { id } = await save('Sales');
    await server.call(`PATCH /api/dashboards/${id}`, {
      as: owner,
      body: { name: 'Sales 2', description: 'zqcontent' },
      headers: { 'if-match': '"1"' },
    });
    await call(`DELETE /api/dashboards/${id}`);
    await call('POST /api/dashboards', { name: 'Own' });
    const invited = await server.createPerson('Bob');
    const invitation = await call(`POST /api/organizations/${organizationId}/invitations`, {
      email: invited.email,
      role: 'editor',
    });
    await call('POST /api/invitations/accept', { token: invitation.link.split('#')[1] }, invited);
    await sender.sendDue();
    const timestamp = new Date(server.clock()).toISOString();
    const of = { organizationId, actorId: owner.id };
    assert.deepEqual(
      bodiesOf(receiver.received).toSorted((one, other) => (one.type < other.type ? -1 : 1)),
      [
        {
          type: 'dashboard.changed',
          timestamp,
          data: { ...of, dashboard: { id, version: 2, name: 'Sales 2' } },
        },
        {
          type: 'dashboard.created',
          timestamp,
          data: { ...of, dashboard: { id, version: 1, name: 'Sales' } },
        },
        {
          type: 'dashboard.deleted',
          timestamp,
          data: { ...of, dashboard: { id, version: 2, name: 'Sales 2' } },
        },
        {
          type: 'member.joined',
          timestamp,
          data: {
            organizationId,
            actorId: invited.id,
            member: { userId: invited.id, name: 'Bob', role: 'editor' },
          },
        },
      ],
    );
    for (const request of receiver.received) {
      assert.ok(verify(webhook.secret, request, server.clock()));
      assert.ok(!verify(webhook.secret, { ...request, body: `${request.body} ` }, server.clock()));
      assert.deepEqual(
        [request.path, request.headers['content-type'], request.headers['user-agent']],
        ['/hook', 'application/json', 'Atrium-Webhooks'],
      );
      assert.ok(!/zqcontent|@example/.test(request.body));
    }
    const ledger = await deliveries(webhook.id);
    assert.deepEqual(
      ledger.map((each: Record<string, unknown>) => [
        each['status'],
        each['attemptCount'],
        each['responseStatus'],
      ]),
      Array.from({ length: 4 }, () => ['delivered', 1, 204]),
    );
    assert.deepEqual(
      new Set(ledger.map((each: { id: string }) => each.id)),
      new Set(receiver.received.map(({ headers }) => headers['webhook-id'])),
    );
    await sender.sendDue();
    assert.equal(receiver.received.length, 4);
  });

  test('gets no name of a restricted dashboard, and nothing of what was rolled back or is not wanted', async (context) => {
    const { server, organizationId, receiver, sender, call, create, save } = await openWebhooks(
      context,
      engine,
    );
    await create(['dashboard.changed', 'dashboard.deleted']);
    const { id } = await save('zqsecret');
    const folder = await call(`POST /api/organizations/${organizationId}/folders`, { name: 'F' });
    const other = await save('zqsecret');
    await call(`POST /api/organizations/${organizationId}/items`, {
      action: 'move',
      folderId: folder.id,
      items: [{ kind: 'dashboard', id: other.id }],
    });
    for (const record of [`dashboards/${id}`, `folders/${folder.id}`])
      await call(`PUT /api/${record}/access`, { restricted: true, members: [] });
    await call(`DELETE /api/dashboards/${id}`);
    await call(`DELETE /api/folders/${folder.id}`);
    const kept = await save('Kept');
    const stale = await server.call(`DELETE /api/dashboards/${kept.id}`, { headers: { 'if-match': '"7"' } });
    assert.ok(stale.status >= 400);
    await assert.rejects(
      server.database.write(async (transaction) => {
        await publishEvent(transaction, {
          organizationId,
          type: 'dashboard.changed',
          at: new Date(server.clock()).toISOString(),
          describe: () => ({}),
        });
        throw new Error('rolled back');
      }),
    );
    await sender.sendDue();
    assert.deepEqual(
      bodiesOf(receiver.received)
        .map(({ type, data }) => ({ type, ...data, organizationId: undefined, actorId: undefined }))
        .toSorted((one, another) => (JSON.stringify(one) < JSON.stringify(another) ? -1 : 1)),
      [id, other.id].toSorted().map((each) => ({
        type: 'dashboard.deleted',
        organizationId: undefined,
        actorId: undefined,
        dashboard: { id: each, version: 1 },
      })),
    );
  });

  test('gets no name of what is created in a restricted folder, or as a copy of something restricted', async (context) => {
    const { organizationId, receiver, sender, call, create } = await openWebhooks(context, engine);
    await create(['dashboard.created']);
    const folder = await call(`POST /api/organizations/${organizationId}/folders`, { name: 'F' });
    await call(`PUT /api/folders/${folder.id}/access`, { restricted: true, members: [] });
    const { id } = await call(`POST /api/folders/${folder.id}/dashboards`, { name: 'zqsecret' });
    await call(`POST /api/dashboards/${id}/duplicate`, {});
    await call(`POST /api/dashboards/${id}/duplicate`, { folderId: folder.id });
    await sender.sendDue();
    const sent = bodiesOf(receiver.received).map(({ type, data }) => [type, JSON.stringify(data)] as const);
    assert.deepEqual(
      sent.map(([type, data]) => [type, data.includes('"version":1'), data.includes('zqsecret')]),
      Array.from({ length: 3 }, () => ['dashboard.created', true, false]),
    );
  });

  test('signs with both secrets for a day after a rotation, and stores and logs none', async (context) => {
    const { server, owner, organizationId, path, receiver, sender, call, create, save, listed } =
      await openWebhooks(context, engine);
    const { id, secret: first } = await create(everything, `${receiver.url}?token=zqtoken`);
    const { secret: second, previousSecretEndsAt } = await call(`POST ${path}/${id}/rotate-secret`);
    assert.equal(previousSecretEndsAt, new Date(server.clock() + hoursMs(24)).toISOString());
    await save('Sales');
    await sender.sendDue();
    const [request] = receiver.received;
    assert.ok(request !== undefined);
    assert.deepEqual(
      [first, second].map((secret) => verify(secret, request, server.clock())),
      [true, true],
    );
    server.advance(hoursMs(24));
    await save('Sales');
    await sender.sendDue();
    const [, later] = receiver.received;
    assert.ok(later !== undefined);
    assert.deepEqual(
      [first, second].map((secret) => verify(secret, later, server.clock())),
      [false, true],
    );
    assert.equal((await listed())[0].previousSecretEndsAt, undefined);
    const texts = [
      JSON.stringify(await listed()),
      JSON.stringify(await server.database.all(allStored, {})),
      (await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner })).text,
      ...server.log,
    ];
    for (const secret of [first, second]) {
      const key = secret.slice('whsec_'.length);
      assert.ok(texts.every((text) => !text.includes(key)));
    }
    assert.ok(
      !texts.slice(2).some((text) => text.includes('zqtoken')),
      'the URL is neither audited nor logged',
    );
  });

  test('says when its secret cannot be decrypted, which commands re-encrypt and discard', async (context) => {
    const { server, path, receiver, sender, call, create, save, deliveries } = await openWebhooks(
      context,
      engine,
    );
    const { database } = server;
    const { id } = await create();
    const next = createSecretBox([
      'another root key of the tests, longer than 32',
      'the root key of the tests, 32 characters or more',
    ]);
    assert.equal(await rotateWebhookSecrets(database, next), 1);
    assert.ok((await listSealedWebhookSecrets(database)).every(next.isCurrent));
    await save('Sales');
    await sender.sendDue();
    assert.deepEqual((await deliveries(id))[0].error, 'The secret can’t be decrypted. Rotate the secret.');
    assert.equal(await discardWebhookSecrets(database, server.secretBox), 1);
    assert.deepEqual(await listSealedWebhookSecrets(database), []);
    const { secret } = await call(`POST ${path}/${id}/rotate-secret`);
    server.advance(5_000);
    await sender.sendDue();
    assert.ok(
      receiver.received.length === 1 && verify(secret, receiver.received[0] as Received, server.clock()),
    );
  });

  test('can’t have a URL on a private network, when it is saved and when it is sent to', async (context) => {
    const { server, owner, organizationId, path, receiver, create } = await openWebhooks(context, engine);
    const { id } = await create();
    const inside = [
      'http://hooks.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a9fe:a9fe]/latest/meta-data/',
      'https://169.254.169.254/latest/meta-data/',
      'https://2130706433/',
      'https://10.0.0.1/',
      `https://user:password@hooks.example/`,
      `http://127.0.0.1:${receiver.port + 1}/`,
      'file:///etc/passwd',
      'hooks.example',
      '//',
    ];
    for (const url of inside) {
      for (const [line, body] of [
        [`POST ${path}`, { url, events: everything }],
        [`PATCH ${path}/${id}`, { url }],
      ] as const) {
        const refused = await server.call(line, { as: owner, body });
        assert.deepEqual(
          problemOf(refused),
          { status: 400, code: 'invalid_body', faults: ['/url url'] },
          url,
        );
      }
    }
    // A name that resolved to a public address when it was saved.
    const url = 'https://rebinding.example/';
    const webhook = (await server.call(`POST ${path}`, { as: owner, body: { url, events: everything } }))
      .body;
    const { database, clock, secretBox } = server;
    const outgoing = createOutgoing([], { resolvePublic: async () => [{ address: '127.0.0.1', family: 4 }] });
    context.after(() => outgoing.close());
    const body = { name: 'Sales', organizationId };
    assert.equal((await server.call('POST /api/dashboards', { as: owner, body })).status, 201);
    await createWebhookSender({ database, clock, secretBox, outgoing, onFailure: assert.ifError }).sendDue();
    for (const each of [id, webhook.id]) {
      const { items } = (await server.call(`GET ${path}/${each}/deliveries`, { as: owner })).body;
      assert.match(items[0].error, /Not allowed to connect/);
      assert.equal(items[0].responseStatus, undefined);
    }
    assert.equal(receiver.received.length, 0);
  });

  test('can’t reach a private host that is listed for sign-ins, or for another organization', async (context) => {
    const ports = [await findFreePort(), await findFreePort()];
    const server = await startTestServer(context, engine, {
      ATRIUM_SSO_PRIVATE_HOSTS: `127.0.0.1:${ports[0]}`,
      ATRIUM_WEBHOOK_PRIVATE_HOSTS: `127.0.0.1:${ports[1]}=01a21a2b-6c17-7000-9797-5d7dc933fab8`,
    });
    const as = await server.createPerson('Mallory');
    const organizationId = await server.createOrganization(as);
    for (const port of ports) {
      const body = { url: `http://127.0.0.1:${port}/`, events: everything };
      const refused = await server.call(`POST /api/organizations/${organizationId}/webhooks`, { as, body });
      assert.deepEqual(problemOf(refused), { status: 400, code: 'invalid_body', faults: ['/url url'] });
    }
  });

  test('belongs to one organization, whose owners and admins manage at most 20', async (context) => {
    const { server, owner, path, create, call, deliveries } = await openWebhooks(context, engine);
    const { id } = await create();
    const test = await call(`POST ${path}/${id}/test`);
    assert.deepEqual([test.event, test.status, test.attemptCount], ['webhook.test', 'pending', 0]);
    const other = await server.createPerson('Eve');
    const otherPath = `/api/organizations/${await server.createOrganization(other)}/webhooks`;
    const foreign = await call(
      `POST ${otherPath}`,
      { url: 'https://eve.example/', events: everything },
      other,
    );
    const lines = [
      'PATCH {}',
      'DELETE {}',
      'POST {}/test',
      'POST {}/rotate-secret',
      'GET {}/deliveries',
      `POST {}/deliveries/${test.id}/retry`,
    ];
    for (const line of lines) {
      for (const [at, as] of [
        [`${otherPath}/${id}`, other],
        [`${path}/${id}`, other],
      ] as const) {
        const request = { as, ...(line.startsWith('PATCH') && { body: { enabled: false } }) };
        const refused = await server.call(line.replace('{}', at), request);
        assert.deepEqual(problemOf(refused), { status: 404, code: 'not_found' }, line);
      }
    }
    const retried = await server.call(`POST ${otherPath}/${foreign.id}/deliveries/${test.id}/retry`, {
      as: other,
    });
    assert.equal(retried.status, 404);
    assert.equal((await deliveries(id)).length, 1);
    const responses = await Promise.all(
      Array.from({ length: 22 }, () =>
        server.call(`POST ${path}`, {
          as: owner,
          body: { url: 'https://hooks.example/', events: everything },
        }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 19);
    assert.deepEqual(problemOf(responses.find(({ status }) => status !== 201) ?? assert.fail()), {
      status: 409,
      code: 'too_many_webhooks',
    });
  });
});
