import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { bearer, createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import { actorOf } from '../../../tests/support/organizations/actors.ts';
import { openLossyDatabase } from '../../../tests/support/storage/lossy-database.ts';
import { makeOperator } from '../../../tests/support/organizations/operators.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { daysMs, hoursMs } from '../base/clock.ts';
import type { AtriumError } from '../base/errors.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { createIdempotency, sweepIdempotencyKeys } from './idempotency.ts';

const countKeys = prepare((sql) =>
  sql.selectFrom('idempotency_keys').select((select) => select.fn.countAll().as('count')),
);
const storedBodies = prepare((sql) => sql.selectFrom('idempotency_keys').select('body'));
const insertLink = prepare((sql, p: { token: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.token, expires_at: '' }),
);
const links = prepare((sql) => sql.selectFrom('set_up_links').select('token_hash'));

/** Sends a create with a key. */
const create = (server: TestServer, as: Person, key: string, body: unknown, path = 'dashboards') =>
  server.call(`POST /api/${path}`, { as, body, headers: { 'idempotency-key': key } });

const dashboardsOf = async (server: TestServer, as: Person): Promise<string[]> =>
  (await server.call('GET /api/dashboards?scope=personal', { as })).body.items.map(
    ({ id }: { id: string }) => id,
  );

describeOnBothEngines('an idempotency key', (engine) => {
  test('makes a create run once, and returns the same response for every repetition', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await makeOperator(server, ada);
    const organizationId = await server.createOrganization(ada);
    const path = `organizations/${organizationId}/data-sources`;
    const source = await create(server, ada, 'source', { name: 'Files', kind: 'files' }, path);
    const dashboard = await create(server, ada, 'dashboard', { name: 'Sales', organizationId });
    const report = {
      organizationId,
      dataSourceId: source.body.id,
      name: 'One',
      query: 'select 1',
      visualization: { kind: 'table' },
    };
    const rows: [key: string, path: string, body: unknown, first?: TestResponse][] = [
      ['source', path, { name: 'Files', kind: 'files' }, source],
      ['dashboard', 'dashboards', { name: 'Sales', organizationId }, dashboard],
      ['copy', `dashboards/${dashboard.body.id}/duplicate`, {}],
      ['report', 'reports', report],
      ['organization', 'organizations', { name: 'Second' }],
      ['account', `organizations/${organizationId}/service-accounts`, { name: 'Pipeline', role: 'editor' }],
    ];
    for (const [key, at, body, made] of rows) {
      const first = made ?? (await create(server, ada, key, body, at));
      const again = await create(server, ada, key, body, at);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      const { status, text, headers } = again;
      assert.deepEqual(
        [status, text, headers['etag'], headers['content-type']],
        [201, first.text, first.headers['etag'], first.headers['content-type']],
      );
      const other = await create(server, ada, `another ${key}`.replace(' ', '-'), body, at);
      assert.notEqual(other.body.id, first.body.id);
    }
  });

  test('makes a create with a secret run once, and the secret is neither stored nor returned again', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const path = `organizations/${organizationId}/webhooks`;
    const body = { url: 'https://example.com/hook', events: ['dashboard.created'] };
    const first = await create(server, ada, 'k', body, path);
    assert.equal(first.status, 201, first.text);
    const again = await create(server, ada, 'k', body, path);
    assert.deepEqual(problemOf(again), { status: 422, code: 'idempotency_key_reused' });
    assert.match(
      again.body.detail,
      new RegExp(`created ${first.body.id}[.] Its secret is returned only once`),
    );
    const { body: listed } = await server.call(`GET /api/${path}`, { as: ada });
    assert.equal(listed.items.length, 1);
    const [stored] = await server.database.all(storedBodies, {});
    assert.equal(stored?.body, JSON.stringify({ id: first.body.id }));
    // Someone who may no longer see webhooks gets no ID.
    const bob = await server.createMember(organizationId, 'admin');
    assert.equal((await create(server, bob, 'k', body, path)).status, 201);
    await server.call(`PATCH /api/organizations/${organizationId}/members/${bob.id}`, {
      as: ada,
      body: { role: 'viewer' },
    });
    assert.equal((await create(server, bob, 'k', body, path)).status, 403);
  });

  test('is valid for one user and one request, for at least a day', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    const first = await create(server, ada, 'k', { name: 'D' });
    const ofBob = await create(server, bob, 'k', { name: 'D' });
    assert.notEqual(ofBob.body.id, first.body.id);
    for (const [body, path] of [
      [{ name: 'E' }, 'dashboards'],
      [{ name: 'D' }, 'organizations'],
    ] as const) {
      const reused = await create(server, ada, 'k', body, path);
      assert.deepEqual(problemOf(reused), { status: 422, code: 'idempotency_key_reused' });
    }
    // The first sweep after a day finds that it is old, and one a day later deletes it.
    for (const [hours, left] of [
      [23.9, 2],
      [24, 2],
      [47.9, 2],
      [48, 0],
    ] as const) {
      assert.equal((await create(server, ada, 'k', { name: 'D' })).text, first.text, `after ${hours} hours`);
      await sweepIdempotencyKeys(server.database, () => Date.UTC(2026, 10, 21, 9) + hoursMs(hours));
      assert.equal(Number((await server.database.first(countKeys, {}))?.count), left);
    }
    assert.equal((await create(server, ada, 'k', { name: 'E' })).status, 201);
  });

  test('that was used while the clock was behind creates nothing again once the clock is corrected', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const repeat = (as: Person) => create(server, as, 'k', { name: 'D', organizationId });
    const first = await repeat(ada);
    server.advance(daysMs(30));
    const later = await server.createSsoSession(ada, organizationId);
    assert.equal((await repeat(later)).text, first.text);
    await sweepIdempotencyKeys(server.database, server.clock);
    assert.equal((await repeat(later)).text, first.text);
  });

  test('belongs to the person or service account, whichever credential they use', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const input = { organizationId, scopes: ['read', 'dashboards:write'] } as const;
    const [token, second, reader, account] = [
      await createToken(server, ada, { ...input, scopes: [...input.scopes] }),
      await createToken(server, ada, { ...input, scopes: [...input.scopes] }),
      await createToken(server, ada, { organizationId, scopes: ['read'] }),
      await createServiceAccount(server, ada, { ...input, scopes: [...input.scopes], role: 'editor' }),
    ];
    const body = { name: 'Sales', organizationId };
    const send = (credential: { readonly token: string }) =>
      server.call('POST /api/dashboards', {
        body,
        headers: { ...bearer(credential).headers, 'idempotency-key': 'k' },
      });
    const first = await send(token);
    assert.equal(first.status, 201, first.text);
    assert.equal((await send(second)).text, first.text);
    assert.equal((await create(server, ada, 'k', body)).text, first.text);
    const ofAccount = await send(account);
    assert.equal(ofAccount.status, 201, ofAccount.text);
    assert.notEqual(ofAccount.body.id, first.body.id);
    // A token that may not create gets nothing of what another one created.
    const refused = await send(reader);
    assert.equal(refused.status, 403);
    assert.ok(!refused.text.includes(first.body.id));
  });

  test('of a create that failed can be used again', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const bob = await server.createMember(organizationId, 'viewer');
    const body = { name: 'Sales', organizationId };
    assert.equal((await create(server, bob, 'k', body)).status, 403);
    assert.equal((await create(server, bob, 'k', { name: '' })).status, 400);
    assert.equal((await create(server, bob, 'k', { name: 'Own' })).status, 201);
  });

  test('shows nothing to a person who may no longer see what was created', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    const bob = await server.createMember(organizationId, 'editor');
    const body = { name: 'Sales', organizationId };
    const { status, text } = await create(server, bob, 'k', body);
    const elsewhere = await server.createSsoSession(bob, await server.createOrganization(bob));
    assert.equal((await create(server, elsewhere, 'k', body)).status, 404);
    assert.deepEqual([status, text], [201, (await create(server, bob, 'k', body)).text]);
    await server.call(`DELETE /api/organizations/${organizationId}/members/${bob.id}`, { as: ada });
    const removed = await create(server, bob, 'k', body);
    assert.deepEqual(problemOf(removed), { status: 404, code: 'not_found' });
  });

  test('must have 1 to 255 visible characters', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const statuses = [];
    for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256), 'x'.repeat(255), '"quoted"'])
      statuses.push((await create(server, ada, key, { name: 'D' })).status);
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 201, 201]);
  });

  test('makes large creates run once, too, but stores only so many bytes of responses for a person', async (context) => {
    const { database, drop } = await openTestDatabase(engine);
    context.after(async () => {
      await database.close();
      await drop();
    });
    let now = Date.UTC(2026, 10, 21);
    const createOnce = createIdempotency(database, () => now, { capacity: 100, perMinute: 60 });
    let count = 0;
    const send = (key: string, userId = 'ada') =>
      createOnce(replyTo(key), actorOf(userId), {
        create: async () => ({ id: `${(count += 1)}`, name: 'x'.repeat(50) }),
        respond: (created) => created,
        requireReadable: async () => undefined,
      });
    const reasonOf = async (sent: Promise<unknown>) =>
      sent.then(
        () => 'sent again',
        ({ code, message }: AtriumError) => `${code}: ${message}`,
      );
    for (const [key, userId] of [['a'], ['b'], ['c', 'bob']] as const) await send(key, userId);
    assert.equal(await reasonOf(send('a')), 'sent again');
    assert.match(await reasonOf(send('b')), /^idempotency_key_reused: .* created 2\. .* not stored/);
    assert.equal(await reasonOf(send('c', 'bob')), 'sent again');
    assert.equal(count, 3);
    const bodies = await database.all(storedBodies, {});
    assert.ok(bodies.some(({ body }) => body === JSON.stringify({ id: '2', isLeftOut: true })));
    now += 60_000;
    await send('d');
    assert.equal(await reasonOf(send('d')), 'sent again');
  });

  test('makes the second of two servers wait for the first', async (context) => {
    const { database, drop } = await openTestDatabase(engine);
    context.after(async () => {
      await database.close();
      await drop();
    });
    const actor = actorOf('ada');
    const creation = {
      create: async (transaction: Transaction) => {
        const token = `${Math.random()}`;
        await transaction.run(insertLink, { token });
        return { id: token };
      },
      respond: (created: { id: string }) => created,
      requireReadable: async () => undefined,
    };
    const servers = Array.from({ length: 5 }, () => createIdempotency(database, Date.now));
    const responses = await Promise.all(
      servers.map((createOnce) => createOnce(replyTo('k'), actor, creation)),
    );
    const [{ token_hash: id } = {}] = await database.all(links, {});
    assert.deepEqual(
      responses.map((response) => 'text' in response && response.text),
      Array(5).fill(JSON.stringify({ id })),
    );
    assert.equal((await database.all(links, {})).length, 1);
  });
});

describe('a create whose commit is not confirmed', () => {
  test('is not repeated by another request with its key', async (context) => {
    const lossy = await openLossyDatabase(context);
    const server = await startTestServer(context, 'PostgreSQL', {}, lossy);
    server.expectErrors();
    const ada = await server.createPerson('Ada');
    const send = () => create(server, ada, 'k', { name: 'Sales' });
    const [lost] = await Promise.all([send(), lossy.loseNextCommit()]);
    assert.deepEqual([lost.status, lost.headers['etag']], [503, undefined]);
    const repeated = await send();
    assert.deepEqual([repeated.status, repeated.body.name, repeated.headers['etag']], [201, 'Sales', '"1"']);
    assert.deepEqual(await dashboardsOf(server, ada), [repeated.body.id]);
  });
});

/** The parts of a reply to a request with a key that creating once uses. */
const replyTo = (key: string): FastifyReply =>
  ({
    request: { headers: { 'idempotency-key': key }, method: 'POST', url: '/api/things', body: {} },
    getHeader: () => undefined,
    removeHeader: () => undefined,
    serialize: (body: unknown) => JSON.stringify(body),
  }) as unknown as FastifyReply;
