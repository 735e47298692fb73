import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { describeOnBothEngines } from '../../../tests/support/server/test-server.ts';
import { bodiesOf, openWebhooks, verify } from '../../../tests/support/webhooks.ts';
import { daysMs, hoursMs, minutesMs } from '../base/clock.ts';
import { prepare } from '../storage/prepared-query.ts';
import { sweepDeliveries } from './sender.ts';

const countDeliveries = prepare((db) =>
  db.selectFrom('webhook_deliveries').select(({ fn }) => fn.countAll().as('count')),
);

describeOnBothEngines('an event', (engine) => {
  test('is tried again with the same ID and a longer wait each time, and then on request', async (context) => {
    const { server, path, receiver, sender, newSender, call, create, save, deliveries } = await openWebhooks(
      context,
      engine,
    );
    const { id, secret } = await create();
    receiver.respond = (response) => void response.writeHead(500).end('The secrets of the network');
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
      // The receiver is in a private network.
      assert.equal(delivery.response, undefined);
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
      ['delivered', undefined, undefined],
    );
    assert.equal(receiver.received.at(-1)?.headers['webhook-id'], failed.id);

    const text = `no\0 ${'ä'.repeat(2_000)}`;
    await save('Costs');
    await newSender({ fetchShown: async () => ({ ok: false, status: 500, text }) }).sendDue();
    const [{ response }] = await deliveries(id);
    assert.ok(response.startsWith('no\ufffd ää') && response.length < 1_030);
  });

  test('is disabled by a 410, and by failures only for five days, which the audit log says', async (context) => {
    const { server, organizationId, path, receiver, sender, call, create, save, deliveries, listed } =
      await openWebhooks(context, engine);
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
    const { server, receiver, sender, create, save, listed } = await openWebhooks(context, engine);
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

  test('that is slow delays no other, and has at most two requests at once', async (context) => {
    const { receiver, sender, create, save } = await openWebhooks(context, engine);
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
    const { server, receiver, newSender, create, save } = await openWebhooks(context, engine);
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
    const { receiver, sender, create, save, deliveries } = await openWebhooks(context, engine);
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

  test('stores deliveries for 30 days', async (context) => {
    const { server, sender, create, save } = await openWebhooks(context, engine);
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
  test('sends events as they are announced, until it is stopped', { timeout: 120_000 }, async (context) => {
    const { receiver, sender, create, save } = await openWebhooks(context, engine);
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
