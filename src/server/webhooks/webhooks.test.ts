import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Engine,
  type Person,
} from '../../../tests/support/server/test-server.ts';
import { daysMs, hoursMs, minutesMs } from '../base/clock.ts';
import { createSecretBox } from '../base/secret-box.ts';
import { publishEvent } from '../events/events.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { prepare } from '../storage/prepared-query.ts';
import { discardWebhookSecrets, listSealedWebhookSecrets, rotateWebhookSecrets } from './secrets.ts';
import { createWebhookSender, sweepDeliveries, type WebhookSender } from './sender.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on the loopback interface, which responds with 204 unless it is told otherwise. */
async function startReceiver(context: TestContext) {
  const received: Received[] = [];
  const receiver = {
    url: '',
    port: 0,
    received,
    respond: (response: ServerResponse, _request: Received): void => void response.writeHead(204).end(),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body };
      received.push(got);
      receiver.respond(response, got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`;
  return receiver;
}

/** An organization with a receiver and a sender, which sends when it is asked to. */
async function open(context: TestContext, engine: Engine) {
  const receiver = await startReceiver(context);
  const host = { host: '127.0.0.1', port: receiver.port };
  const server = await startTestServer(context, engine, {
    ATRIUM_SSO_PRIVATE_HOSTS: `${host.host}:${host.port}`,
  });
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}/webhooks`;
  const newSender = (): WebhookSender => {
    const outgoing = createOutgoing([host]);
    context.after(() => outgoing.close());
    const { database, clock, secretBox } = server;
    return createWebhookSender({ database, clock, secretBox, outgoing, onFailure: assert.ifError });
  };
  const call = async (line: string, body?: object, as: Person = owner) => {
    const send = (person: Person) => server.call(line, { as: person, ...(body && { body }) });
    const first = await send(as);
    // The session has expired.
    const response =
      first.status === 401 ? await send(await server.createSsoSession(as, organizationId)) : first;
    assert.ok(response.status < 300, `${line}: ${response.text}`);
    return response.body;
  };
  const create = (events: readonly string[] = everything, url = receiver.url) =>
    call(`POST ${path}`, { url, events });
  const save = (name: string, as = owner) =>
    call('POST /api/dashboards', { name, organizationId }, as) as Promise<{ id: string }>;
  const deliveries = async (id: string) => (await call(`GET ${path}/${id}/deliveries`)).items;
  const listed = async () => (await call(`GET ${path}`)).items;
  const sender = newSender();
  return {
    server,
    owner,
    organizationId,
    path,
    receiver,
    newSender,
    sender,
    call,
    create,
    save,
    deliveries,
    listed,
  };
}

const everything = [
  'dashboard.created',
  'dashboard.changed',
  'dashboard.deleted',
  'member.joined',
  'sso.failing',
];

/**
 * Verifies a request as the specification of Standard Webhooks says, from its text: the signed content is
 * `{webhook-id}.{webhook-timestamp}.{body}`, the key is the base64 after `whsec_`, and one of the signatures, which are
 * separated by spaces, must match.
 */
function verify(secret: string, { headers, body }: Received, nowMs: number): boolean {
  const [id, seconds, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  assert.ok(Math.abs(nowMs / 1_000 - Number(seconds)) <= 300, 'the timestamp is not within 5 minutes');
  const [prefix, key = ''] = secret.split('_', 2);
  assert.equal(prefix, 'whsec');
  const bytes = Buffer.from(key, 'base64');
  assert.ok(bytes.length >= 24 && bytes.length <= 64);
  const expected = createHmac('sha256', bytes).update(`${id}.${seconds}.${body}`, 'utf8').digest();
  return (signatures ?? '').split(' ').some((each) => {
    const [version, value = ''] = each.split(',', 2);
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const bodiesOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: object });

const countDeliveries = prepare((db) =>
  db.selectFrom('webhook_deliveries').select(({ fn }) => fn.countAll().as('count')),
);
const allStored = prepare((db) =>
  db.selectFrom('webhooks').select(['secret', 'previous_secret', 'url', 'events']),
);

describeOnBothEngines('a webhook', (engine) => {
  test('is sent what happens to dashboards and members, signed, and without contents', async (context) => {
    const { server, owner, organizationId, receiver, sender, call, create, save, deliveries } = await open(
      context,
      engine,
    );
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
    const { server, organizationId, receiver, sender, call, create, save } = await open(context, engine);
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

  test('is tried again with the same ID and a longer wait each time, and then on request', async (context) => {
    const { server, path, receiver, sender, call, create, save, deliveries } = await open(context, engine);
    const { id, secret } = await create();
    receiver.respond = (response) => void response.writeHead(500).end(`no\0 ${'ä'.repeat(2_000)}`);
    await save('Sales');
    const waits = [5_000, minutesMs(5), minutesMs(30), hoursMs(2), hoursMs(5), hoursMs(10), hoursMs(10)];
    for (const [index, waitMs] of waits.entries()) {
      await sender.sendDue();
      assert.equal(receiver.received.length, index + 1);
      const [delivery] = await deliveries(id);
      assert.deepEqual(
        [delivery.status, delivery.attemptCount, delivery.nextAttemptAt, delivery.error],
        [
          'pending',
          index + 1,
          new Date(server.clock() + waitMs).toISOString(),
          'The response has the status 500.',
        ],
      );
      assert.ok(delivery.response.startsWith('no\ufffd ää') && delivery.response.length < 1_030);
      server.advance(waitMs - 1);
      await sender.sendDue();
      assert.equal(receiver.received.length, index + 1, 'too early');
      server.advance(1);
    }
    await sender.sendDue();
    const [failed] = await deliveries(id);
    assert.deepEqual([failed.status, failed.attemptCount, failed.nextAttemptAt], ['failed', 8, undefined]);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    for (const request of receiver.received.slice(-1)) assert.ok(verify(secret, request, server.clock()));
    receiver.respond = (response) => void response.writeHead(200).end('fine');
    const again = await call(`POST ${path}/${id}/deliveries/${failed.id}/retry`);
    assert.deepEqual([again.id, again.status], [failed.id, 'pending']);
    await sender.sendDue();
    const [delivered] = await deliveries(id);
    assert.deepEqual(
      [delivered.status, delivered.response, delivered.error],
      ['delivered', 'fine', undefined],
    );
    assert.equal(receiver.received.at(-1)?.headers['webhook-id'], failed.id);
  });

  test('is disabled by a 410, and by failures only for five days, which the audit log says', async (context) => {
    const { server, organizationId, path, receiver, sender, call, create, save, deliveries, listed } =
      await open(context, engine);
    const { id } = await create();
    receiver.respond = (response) => void response.writeHead(500).end();
    await save('First');
    for (let day = 0; day < 5; day += 1) {
      await sender.sendDue();
      assert.equal((await listed())[0].enabled, true, `day ${day}`);
      server.advance(daysMs(1));
      await save('Another');
    }
    await sender.sendDue();
    const [webhook] = await listed();
    assert.deepEqual([webhook.enabled, webhook.disabledReason], [false, 'failing']);
    assert.ok((await deliveries(id)).every(({ status }: { status: string }) => status === 'failed'));
    const count = receiver.received.length;
    await save('Unsent');
    await sender.sendDue();
    assert.equal(receiver.received.length, count);

    receiver.respond = (response) => void response.writeHead(410).end();
    const enabled = await call(`PATCH ${path}/${id}`, { enabled: true });
    assert.deepEqual(
      [enabled.enabled, enabled.disabledReason, enabled.failingSince],
      [true, undefined, undefined],
    );
    await save('Gone');
    await sender.sendDue();
    assert.deepEqual((await listed())[0].disabledReason, 'gone');
    const audit = await call(`GET /api/organizations/${organizationId}/audit?action=webhook.disabled`);
    assert.deepEqual(
      audit.items.map(({ details }: { details: object }) => details),
      ['gone', 'failing'].map((reason) => ({ webhookId: id, origin: new URL(receiver.url).origin, reason })),
    );
  });

  test('is not disabled by a clock that jumps ahead, and sends after one that was set back', async (context) => {
    const { server, receiver, sender, create, save, listed } = await open(context, engine);
    await create();
    receiver.respond = (response) => void response.writeHead(500).end();
    await save('First');
    await sender.sendDue();
    server.advance(daysMs(400));
    await sender.sendDue();
    assert.equal((await listed())[0].enabled, true);
    await save('Later');
    server.advance(-daysMs(400));
    receiver.respond = (response) => void response.writeHead(204).end();
    await sender.sendDue();
    assert.deepEqual(
      bodiesOf(receiver.received.slice(2)).map(({ type }) => type),
      ['dashboard.created', 'dashboard.created'],
    );
  });

  test('signs with both secrets for a day after a rotation, and stores and logs none', async (context) => {
    const { server, owner, organizationId, path, receiver, sender, call, create, save, listed } = await open(
      context,
      engine,
    );
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
    const { server, path, receiver, sender, call, create, save, deliveries } = await open(context, engine);
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

  test('that is slow delays no other, and has at most two requests at once', async (context) => {
    const { receiver, sender, create, save } = await open(context, engine);
    const waiting: ServerResponse[] = [];
    receiver.respond = (response, { path }) => {
      if (path === '/slow') waiting.push(response);
      else response.writeHead(204).end();
    };
    await create(['dashboard.created'], receiver.url.replace('/hook', '/slow'));
    await create(['dashboard.created']);
    for (let count = 0; count < 6; count += 1) await save(`D${count}`);
    const done = sender.sendDue();
    while (receiver.received.filter(({ path }) => path === '/hook').length < 6)
      await new Promise((resolve) => setImmediate(resolve));
    assert.equal(waiting.length, 2);
    receiver.respond = (response) => void response.writeHead(204).end();
    for (const response of waiting) response.writeHead(204).end();
    await done;
    assert.equal(receiver.received.length, 12);
  });

  test('is sent what was committed before a crash, and by only one of several processes', async (context) => {
    const { server, receiver, newSender, create, save } = await open(context, engine);
    const { id } = await create();
    await save('Sales');
    // The process that took it has ended.
    const until = new Date(server.clock() + minutesMs(1)).toISOString();
    await server.database.write((transaction) =>
      transaction.execute(`update webhook_deliveries set holder = 'crashed', held_until = '${until}'`),
    );
    await newSender().sendDue();
    assert.equal(receiver.received.length, 0);
    server.advance(minutesMs(1));
    for (let count = 0; count < 10; count += 1) await save(`D${count}`);
    await Promise.all([newSender(), newSender(), newSender()].map((each) => each.sendDue()));
    assert.equal(receiver.received.length, 11);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 11);
    assert.ok(id);
  });

  test('that responds with a redirect, too much or nothing has failed, and no redirect is followed', async (context) => {
    const { receiver, sender, create, save, deliveries } = await open(context, engine);
    const { id } = await create();
    const responses: [(response: ServerResponse) => unknown, RegExp][] = [
      [
        (response) => response.writeHead(307, { location: receiver.url.replace('hook', 'other') }).end(),
        /status 307/,
      ],
      [(response) => response.writeHead(200).end('x'.repeat(300_000)), /larger than 256 KiB/],
      [(response) => response.destroy(), /Could not connect/],
    ];
    for (const [respond, error] of responses) {
      receiver.respond = (response) => void respond(response);
      await save('Sales');
      await sender.sendDue();
      const [delivery] = await deliveries(id);
      assert.equal(delivery.status, 'pending');
      assert.match(delivery.error, error);
    }
    assert.ok(receiver.received.every(({ path }) => path === '/hook'));
  });

  test('has a URL that leads to no private network, when it is saved and when it is sent to', async (context) => {
    const { server, owner, organizationId, path, receiver, create } = await open(context, engine);
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

  test('belongs to one organization, whose owners and admins manage at most 20', async (context) => {
    const { server, owner, path, create, call, deliveries } = await open(context, engine);
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

  test('keeps deliveries for 30 days', async (context) => {
    const { server, sender, create, save } = await open(context, engine);
    const { database, clock } = server;
    await create();
    await save('Sales');
    await sender.sendDue();
    const count = async () => Number((await database.first(countDeliveries, {}))?.count);
    server.advance(daysMs(30));
    await sweepDeliveries(database, clock);
    assert.equal(await count(), 1);
    server.advance(1);
    await save('Pending');
    await sweepDeliveries(database, clock);
    assert.equal(await count(), 1);
  });
});

/** Waits until the sender has sent everything by itself. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describeOnBothEngines('a sender that was started', (engine) => {
  test('sends events as they are announced, until it is stopped', { timeout: 20_000 }, async (context) => {
    const { receiver, sender, create, save } = await open(context, engine);
    await create();
    sender.start();
    await save('First');
    await until(() => receiver.received.length === 1);
    await save('Second');
    await until(() => receiver.received.length === 2);
    await sender.stop();
    await save('Third');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(receiver.received.length, 2);
  });
});
