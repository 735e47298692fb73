import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEditing, type Editor } from '../../../../tests/support/dashboards/editor.ts';
import { listenForEvents, type EventReader } from '../../../../tests/support/server/event-reader.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Engine,
} from '../../../../tests/support/server/test-server.ts';
import { hoursMs } from '../../base/clock.ts';
import { setSsoRequirement } from '../../organizations/organizations.ts';
import { prepare } from '../../storage/prepared-query.ts';

const at = '2026-11-21T09:00:00.000Z';
const none = { revision: 0, openCount: 0 };
const ended = (reason: string) => ({ event: 'ended', data: { reason } });

const restrict = prepare((sql, p: { id: string }) =>
  sql.updateTable('dashboards').set({ restricted: 1 }).where('id', '=', p.id),
);

describeOnUsualEngine('the events of a dashboard', (engine) => {
  test('start with the current state, and report saves, editors and the deletion', async (context) => {
    const { server, ada, bob, path, created, put, follow } = await startFollowing(context, engine);
    const events = await follow(ada);
    assert.deepEqual(
      [events.status, events.headers.get('content-type'), events.headers.get('x-accel-buffering')],
      [200, 'text/event-stream; charset=utf-8', 'no'],
    );
    assert.deepEqual(await events.next(), {
      event: 'state',
      id: '1',
      data: { version: 1, people: [], comments: none },
    });

    await server.call(`PUT ${path}/editing`, { as: bob });
    const people = [{ userId: bob.id, name: 'editor' }];
    assert.deepEqual(await events.next(), { event: 'editing', id: '1', data: { people } });
    await put(bob, 1, { ...created, name: 'Renamed' });
    const data = { version: 2, userId: bob.id, userName: 'editor', at };
    assert.deepEqual(await events.next(), { event: 'saved', id: '2', data });
    await server.call(`DELETE ${path}/editing`, { as: bob });
    assert.deepEqual(await events.next(), { event: 'editing', id: '2', data: { people: [] } });

    await server.call(`PUT ${path}/editing`, { as: bob });
    await events.next();
    server.advance(30_000);
    assert.deepEqual(await events.next(), { event: 'editing', id: '2', data: { people: [] } });

    const again = await follow(ada, { 'last-event-id': '1' });
    assert.deepEqual(await again.next(), {
      event: 'state',
      id: '2',
      data: { version: 2, people: [], comments: none },
    });

    await server.call(`DELETE ${path}`, { as: bob });
    const deleted = { event: 'deleted', id: '2', data: { userId: bob.id } };
    assert.deepEqual([await events.next(), await events.next()], [deleted, undefined]);
    assert.equal((await follow(ada)).status, 404);
  });

  test('report comments to everyone who has the dashboard open', async (context) => {
    const { server, ada, bob, path, follow } = await startFollowing(context, engine);
    const events = await follow(ada);
    await events.next();
    const { body } = await server.call(`POST ${path}/comments`, { as: bob, body: { text: 'Why?' } });
    assert.deepEqual(await events.next(), {
      event: 'comments',
      id: '1',
      data: { revision: 1, openCount: 1 },
    });
    await server.call(`PATCH ${path}/comments/${body.id}`, { as: bob, body: { resolved: true } });
    const data = { revision: 2, openCount: 0 };
    assert.deepEqual(await events.next(), { event: 'comments', id: '1', data });
    const again = await follow(bob);
    assert.deepEqual((await again.next())?.data, { version: 1, people: [], comments: data });
  });

  test('report who else has the dashboard open, once for each person', async (context) => {
    const { server, ada, bob, created, follow } = await startFollowing(context, engine);
    const viewer = await server.createMember(created.organizationId, 'viewer');
    const seeing = (people: string[][]) => ({
      event: 'viewing',
      id: '1',
      data: { people: people.map(([userId, name]) => ({ userId, name })) },
    });
    const hers = await follow(ada);
    assert.equal((await hers.nextOfAll())?.event, 'state');
    const [his, again] = [await follow(bob), await follow(bob)];
    assert.deepEqual(await hers.nextOfAll(), seeing([[bob.id, 'editor']]));
    await his.nextOfAll();
    assert.deepEqual(await his.nextOfAll(), seeing([[ada.id, 'Ada']]));
    const third = await follow(viewer);
    const both = [
      [bob.id, 'editor'],
      [viewer.id, 'viewer'],
    ];
    assert.deepEqual(await hers.nextOfAll(), seeing(both));
    third.close();
    assert.deepEqual(await hers.nextOfAll(), seeing([[bob.id, 'editor']]));
    his.close();
    again.close();
    assert.deepEqual(await hers.nextOfAll(), seeing([]));

    // A process that was killed doesn't say that its streams are closed.
    await follow(bob);
    assert.deepEqual(await hers.nextOfAll(), seeing([[bob.id, 'editor']]));
    server.advance(45_001);
    assert.deepEqual(await hers.nextOfAll(), seeing([]));
  });

  test('name nobody to people without access, and nobody who lost it', async (context) => {
    const { server, ada, path, created, follow } = await startFollowing(context, engine);
    const viewer = await server.createMember(created.organizationId, 'viewer');
    const hers = await follow(ada);
    await hers.nextOfAll();
    const theirs = await follow(viewer);
    assert.equal((await hers.nextOfAll())?.data.people[0].userId, viewer.id);
    await theirs.next();
    const restricted = { restricted: true, members: [] };
    await server.call(`PUT ${path}/access`, { as: ada, body: restricted });
    assert.deepEqual(await theirs.next(), ended('not_found'));
    assert.deepEqual((await hers.nextOfAll())?.data, { people: [] });
    assert.equal((await follow(viewer)).status, 404);
  });

  test('end only for a removed member', async (context) => {
    const { server, ada, bob, created, put, follow } = await startFollowing(context, engine);
    const [hers, his] = [await follow(ada), await follow(bob)];
    await Promise.all([hers.next(), his.next()]);
    await server.call(`DELETE /api/organizations/${created.organizationId}/members/${bob.id}`, { as: ada });
    assert.deepEqual([await his.next(), await his.next()], [ended('not_found'), undefined]);
    await put(ada, 1, { ...created, name: 'Renamed' });
    assert.equal((await hers.next())?.event, 'saved');
  });

  test('end without later changes when the dashboard is restricted', async (context) => {
    const { server, ada, path, created, put, follow } = await startFollowing(context, engine);
    const viewer = await server.createMember(created.organizationId, 'viewer');
    const events = await follow(viewer);
    await events.next();
    // Both at once, so that the check for one finds the other, too.
    await Promise.all([
      server.database.write((transaction) => transaction.run(restrict, { id: created.id })),
      put(ada, 1, { ...created, name: 'Secret' }),
    ]);
    const received = [await events.next()];
    while (received.at(-1) !== undefined) received.push(await events.next());
    assert.deepEqual(received.slice(-2), [ended('not_found'), undefined]);
    assert.equal((await server.call(`GET ${path}`, { as: viewer })).status, 404);
    assert.equal((await follow(viewer)).status, 404);
  });

  test('end with the session: signed out, idle, or no longer allowed by single sign-on', async (context) => {
    const { server, ada, bob, created, follow } = await startFollowing(context, engine);
    const sso = await server.createSsoSession(ada, created.organizationId);
    const [mine, signedOut] = [await follow(sso), await follow(bob)];
    await Promise.all([mine.next(), signedOut.next()]);
    await server.call('POST /api/auth/sign-out', { as: bob });
    assert.deepEqual([await signedOut.next(), await signedOut.next()], [ended('unauthenticated'), undefined]);

    const byPassword = await follow(ada);
    await byPassword.next();
    await server.database.write((transaction) =>
      setSsoRequirement(transaction, created.organizationId, true),
    );
    assert.deepEqual([await byPassword.next(), await byPassword.next()], [ended('sso_required'), undefined]);

    // An open stream doesn't keep a session active: it expires as idle.
    server.advance(hoursMs(12));
    assert.deepEqual([await mine.next(), await mine.next()], [ended('unauthenticated'), undefined]);
  });

  test('require access to the dashboard, don’t support HEAD, and are limited to 20 streams for each person', async (context) => {
    const { server, ada, bob, path, follow } = await startFollowing(context, engine);
    const stranger = await server.createPerson('Stranger');
    const refused = await server.call(`GET ${path}/events`, { as: stranger });
    assert.deepEqual(problemOf(refused), { status: 404, code: 'not_found' });
    assert.equal((await server.call(`HEAD ${path}/events`, { as: ada })).status, 405);
    const open = await Promise.all(Array.from({ length: 20 }, () => follow(ada)));
    assert.deepEqual(
      open.map(({ status }) => status),
      open.map(() => 200),
    );
    const another = await server.call(`GET ${path}/events`, { as: ada });
    assert.deepEqual(problemOf(another), { status: 429, code: 'too_many_streams' });
    assert.equal((await follow(bob)).status, 200);
  });

  test('end when the server stops', async (context) => {
    const { server, ada, follow } = await startFollowing(context, engine);
    const events = await follow(ada);
    await events.next();
    const closed = server.app.close();
    assert.deepEqual([await events.next(), await events.next()], [ended('unavailable'), undefined]);
    await closed;
  });
});

interface Following extends Editor {
  /** Its `next` skips who has the dashboard open, which `nextOfAll` doesn't. */
  follow(
    as: Editor['ada'],
    headers?: Record<string, string>,
  ): Promise<EventReader & { nextOfAll(): ReturnType<EventReader['next']> }>;
}

async function startFollowing(
  context: Parameters<typeof startEditing>[0],
  engine: Engine,
): Promise<Following> {
  const editor = await startEditing(context, engine);
  const open = await listenForEvents(context, editor.server);
  return {
    ...editor,
    async follow(as, headers) {
      const events = await open(as, `${editor.path}/events`, headers);
      return {
        ...events,
        async next() {
          let event = await events.next();
          // Which has a test of its own.
          while (event?.event === 'viewing') event = await events.next();
          return event;
        },
        nextOfAll: () => events.next(),
      };
    },
  };
}
