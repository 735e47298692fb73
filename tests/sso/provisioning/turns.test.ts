import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import fastify, { type FastifyRequest } from 'fastify';
import type { Actor } from '../../../src/server/base/actor.ts';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { findTokenCreator } from '../../../src/server/credentials/tokens.ts';
import { endCredentials, endMembership } from '../../../src/server/end-membership.ts';
import { maxSilenceMs } from '../../../src/server/http/limits/idle-connections.ts';
import { serveScim } from '../../../src/server/scim/routes.ts';
import type { Database } from '../../../src/server/storage/database.ts';
import { entraUser } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

/** Returns a database whose every call waits for `open`, and reports how many calls have begun. */
function gate(database: Database) {
  const begun = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const opened = Promise.withResolvers<void>();
  let callCount = 0;
  const held = new Proxy(database, {
    get: (target, name: keyof Database) => {
      const member: unknown = target[name];
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        begun[callCount]?.resolve();
        callCount += 1;
        await opened.promise;
        return member.apply(target, parameters);
      };
    },
  });
  const untilCalled = (count: number) => begun[count - 1]?.promise;
  return { held, open: opened.resolve, untilCalled, callCount: () => callCount };
}

describeSignIns('turns of provisioning requests', (world) => {
  const start = async (context: TestContext) => {
    const { server } = world;
    const organization = await world.createOrganization();
    const { id: organizationId, owner, domain } = organization;
    const actor: Actor = {
      userId: owner.id,
      credential: { kind: 'token', id: 'token', scopes: ['scim'] },
      scope: { organizationId },
      satisfiesSso: true,
    };
    const { held, ...gated } = gate(server.database);
    const app = fastify({ connectionTimeout: maxSilenceMs });
    const events = new EventEmitter();
    app.addHook('onRequest', async (request) => void events.emit('request', request));
    app.addHook('onSend', async () => void events.emit('sent'));
    app.get('/never', () => new Promise(() => undefined));
    serveScim(app, {
      database: held,
      clock: server.clock,
      publicUrl: 'https://atrium.example',
      authenticate: async () => actor,
      requestsPerMinute: 1_000,
      endMembership,
      endCredentials: endCredentials(server.clock),
      findCreator: findTokenCreator,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    context.after(async () => {
      gated.open();
      await app.close();
    });
    const { port } = app.server.address() as AddressInfo;

    /** Sends a request, and returns it once it has arrived. */
    const send = async (method: string, path: string, body?: object) => {
      const client: ClientRequest = sendRequest({
        host: '127.0.0.1',
        port,
        method,
        path: `/scim/v2/${organizationId}${path}`,
        headers: { authorization: 'Bearer x', 'content-type': 'application/scim+json' },
      });
      const response = once(client, 'response').then(async ([message]: IncomingMessage[]) => ({
        status: message?.statusCode,
        body: message && (await json(message)),
      }));
      response.catch(() => undefined);
      const arrival = once(events, 'request') as Promise<FastifyRequest[]>;
      client.end(body === undefined ? undefined : JSON.stringify(body));
      const socket = (await arrival)[0]?.raw.socket;
      assert.ok(socket);
      const disconnect = async () => {
        const closed = once(socket, 'close');
        client.destroy();
        await closed;
      };
      return { response, socket, disconnect };
    };
    const create = (name: string) => send('POST', '/Users', entraUser(`${name}@${domain}`, name));
    /** Waits until the requests before it wait for their turn, or have begun. */
    const untilHandled = async () => {
      const { response } = await send('GET', '/ServiceProviderConfig');
      assert.equal((await response).status, 200);
    };
    return { organization, port, events, send, create, untilHandled, ...gated };
  };

  test('a list waits for lists in progress, even if their clients have disconnected', async (context) => {
    const { send, open, untilCalled, untilHandled, callCount } = await start(context);
    const lists = [await send('GET', '/Users'), await send('GET', '/Users')];
    await untilCalled(2);
    for (const list of lists) await list.disconnect();
    const third = await send('GET', '/Users');
    await untilHandled();
    assert.equal(callCount(), 2);
    open();
    assert.equal((await third.response).status, 200);
  });

  /** Fills the turns of lists with responses that wait for another one on their connections. Returns the connections. */
  const fillTurns = async (
    context: TestContext,
    { organization, port, events }: Awaited<ReturnType<typeof start>>,
  ) => {
    const lines = ['/never', `/scim/v2/${organization.id}/Users`].map(
      (path) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n\r\n`,
    );
    const sockets: Socket[] = [];
    for (let count = 0; count < 2; count += 1) {
      const socket = connect(port, '127.0.0.1');
      context.after(() => socket.destroy());
      const sent = once(events, 'sent');
      socket.write(lines.join(''));
      await sent;
      sockets.push(socket);
    }
    return sockets;
  };

  test('the turn of a response that waits for another one on its connection ends after a minute', async (context) => {
    const scim = await start(context);
    scim.open();
    context.mock.timers.enable({ apis: ['setTimeout'] });
    await fillTurns(context, scim);
    const { response } = await scim.send('GET', '/Users');
    context.mock.timers.tick(minutesMs(1));
    assert.equal((await response).status, 200);
  });

  test('the turn of a response that waits for another one on its connection ends if the client disconnects', async (context) => {
    const scim = await start(context);
    scim.open();
    for (const socket of await fillTurns(context, scim)) socket.destroy();
    const { response } = await scim.send('GET', '/Users');
    assert.equal((await response).status, 200);
  });

  test('a waiting change whose client has disconnected isn’t made', async (context) => {
    const { organization, create, open, untilCalled } = await start(context);
    const first = await create('first');
    await untilCalled(1);
    const second = await create('second');
    await second.disconnect();
    const third = await create('third');
    open();
    assert.deepEqual([(await first.response).status, (await third.response).status], [201, 201]);
    const names = (await organization.members()).map(({ email }) => email.split('@')[0]);
    assert.deepEqual(
      [names.includes('first'), names.includes('second'), names.includes('third')],
      [true, false, true],
    );
  });

  test('a waiting change keeps its connection, however long it waits', async (context) => {
    const { create, open, untilCalled, untilHandled } = await start(context);
    const first = await create('first');
    await untilCalled(1);
    const second = await create('second');
    await untilHandled();
    assert.deepEqual([first.socket.timeout, second.socket.timeout], [0, 0]);
    open();
    assert.deepEqual([(await first.response).status, (await second.response).status], [201, 201]);
  });

  test('a small read doesn’t wait', async (context) => {
    const { send, open, untilCalled } = await start(context);
    const lists = [await send('GET', '/Users'), await send('GET', '/Groups')];
    await untilCalled(2);
    const group = await send(
      'GET',
      '/Groups/00000000-0000-4000-8000-000000000000?excludedAttributes=members',
    );
    await untilCalled(3);
    open();
    assert.equal((await group.response).status, 404);
    for (const { response } of lists) assert.equal((await response).status, 200);
  });
});
