import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { openEvents } from '../support/server/event-reader.ts';
import {
  cookieOf,
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
} from '../support/server/server-process.ts';
import { ofListeners } from '../support/storage/listeners.ts';

describe('events of a dashboard', () => {
  test('arrive from another replica at once, and also if its announcements get lost', async (context) => {
    const { place, one, other, account, dashboard } = await startReplicas(context);
    const operator = new pg.Client({ connectionString: place['DATABASE_URL'] });
    await operator.connect();
    operator.on('error', () => {});
    context.after(() => operator.end());
    const { cookie } = account;
    const path = `/api/dashboards/${dashboard.id}`;
    const events = await openEvents(context, `${other.url}${path}/events`, { cookie });
    assert.deepEqual(await events.next(), {
      event: 'state',
      id: '1',
      data: { version: 1, people: [], comments: { revision: 0, openCount: 0 } },
    });
    /** Returns how long the event was waited for after the response. */
    const rename = async (version: number) => {
      const response = await patch(`${one.url}${path}`, cookie, { name: `Sales ${version}` });
      assert.equal(response.status, 200);
      const savedAt = performance.now();
      const event = await events.next();
      assert.deepEqual([event?.event, event?.data.version], ['saved', version]);
      return performance.now() - savedAt;
    };
    await rename(2);
    let waitedMs = 0;
    for (const version of [3, 4, 5, 6, 7]) waitedMs += await rename(version);
    // With polling alone, each would take 2.5 seconds.
    assert.ok(waitedMs < 8_000, `five saves were reported after ${waitedMs} ms`);

    // Each replica listens, also for webhooks. One that was slow to connect still does so.
    await until('both replicas listen', async () => {
      const { rows } = await operator.query(`select pid ${ofListeners}`);
      return rows.length === 2 ? true : undefined;
    });
    const { rowCount } = await operator.query(`select pg_terminate_backend(pid) ${ofListeners}`);
    assert.equal(rowCount, 2);
    await rename(8);
    await rename(9);
    assert.equal((await send(account, 'POST /api/auth/sign-out')).status, 200);
    const ended = { event: 'ended', data: { reason: 'unauthenticated' } };
    assert.deepEqual([await events.next(), await events.next()], [ended, undefined]);
  });

  test('report who has it open on another replica', async (context) => {
    const { one, other, account, dashboard } = await startReplicas(context);
    const path = `/api/dashboards/${dashboard.id}/events`;
    const invitation = await send(account, `POST /api/organizations/${account.organizationId}/invitations`, {
      body: { email: 'bob@example.com', role: 'viewer' },
    });
    const token = new URL(invitation.body.link).hash.slice(1);
    const signUp = await send(other, 'POST /api/invitations/sign-up', {
      body: { token, name: 'Bob', password: 'a password of the tests' },
    });
    assert.equal(signUp.status, 201);
    const hers = await openEvents(context, `${one.url}${path}`, { cookie: account.cookie });
    assert.equal((await hers.next())?.event, 'state');
    const his = await openEvents(context, `${other.url}${path}`, { cookie: cookieOf(signUp.headers) });
    const seen = await hers.next();
    assert.deepEqual(
      [seen?.event, seen?.data.people.map(({ name }: { name: string }) => name)],
      ['viewing', ['Bob']],
    );
    assert.equal((await his.next())?.event, 'state');
    const owner = await his.next();
    assert.deepEqual(
      [owner?.event, owner?.data.people.map(({ userId }: { userId: string }) => userId)],
      ['viewing', [dashboard.userId]],
    );
    his.close();
    assert.deepEqual(await hers.next(), { event: 'viewing', id: '1', data: { people: [] } });
  });

  test('end when the server stops, without delaying it', async (context) => {
    const environment = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
    const server = await startServerProcess(context, { environment });
    const account = await signInOwner(server);
    const { body } = await send(account, 'POST /api/dashboards', { body: { name: 'Sales' } });
    const url = `${server.url}/api/dashboards/${body.id}/events`;
    const events = await openEvents(context, url, { cookie: account.cookie });
    assert.equal((await events.next())?.event, 'state');
    const startedAt = performance.now();
    const exit = server.end('SIGTERM');
    const ended = { event: 'ended', data: { reason: 'unavailable' } };
    assert.deepEqual([await events.next(), await events.next()], [ended, undefined]);
    const { code, errorOutput } = await exit;
    assert.deepEqual({ code, errorOutput }, { code: 0, errorOutput: '' });
    // Less than the eight seconds after which connections are cut.
    assert.ok(performance.now() - startedAt < 7_500, 'the stop waited for the stream');
  });
});

/** Starts two servers on one PostgreSQL database, with a dashboard that the owner created. */
async function startReplicas(context: TestContext) {
  const place = await freshPlace(context, 'PostgreSQL');
  const environment = { ...place, ...ownerSettings };
  const one = await startServerProcess(context, { environment });
  const other = await startServerProcess(context, { environment });
  const account = await signInOwner(one);
  const { organizationId } = account;
  const { body } = await send(account, 'POST /api/dashboards', { body: { name: 'Sales', organizationId } });
  return { place, one, other, account, dashboard: body };
}

const patch = (url: string, cookie: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify(body),
  });
