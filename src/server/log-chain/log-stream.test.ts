import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogEntry } from '#contract/organizations/log-stream.ts';
import { createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Engine,
  type Person,
} from '../../../tests/support/server/test-server.ts';
import { holdLocks } from '../../../tests/support/storage/held-locks.ts';
import { bodiesOf, openWebhooks, verify } from '../../../tests/support/webhooks.ts';
import { recordAudit } from '../audit/audit.ts';
import { sealLogs } from './seal.ts';

const asPerson = (token: { readonly id: string; readonly token: string }): Person => ({
  ...token,
  email: '',
  isBearer: true,
});

const linesOf = (text: string): LogEntry[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogEntry);

async function startStream(context: Parameters<typeof startTestServer>[0], engine: Engine) {
  const server = await startTestServer(context, engine);
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const puller = asPerson(
    await createServiceAccount(server, owner, { organizationId, role: 'admin', scopes: ['logs:read'] }),
  );
  const path = `/api/organizations/${organizationId}/log-stream`;
  const read = async (query: string, as = puller) => {
    const response = await server.call(`GET ${path}?${query}`, { as });
    assert.equal(response.status, 200, response.text);
    return linesOf(response.text);
  };
  const rename = (name: string) =>
    server.call(`PATCH /api/organizations/${organizationId}`, { as: owner, body: { name } });
  return { server, owner, organizationId, puller, path, read, rename };
}

describeOnUsualEngine('the stream of a log', (engine) => {
  test('has each entry once and in order, continued after the last one', async (context) => {
    const { read, rename } = await startStream(context, engine);
    const first = await read('log=audit');
    assert.deepEqual(
      first.map(({ sequence, action }) => `${sequence} ${action}`),
      ['1 organization.created', '2 service_account.created', '3 token.created'],
    );
    assert.deepEqual(await read('log=audit&after=3'), []);
    for (const name of ['a', 'b', 'c']) await rename(name);
    const next = await read('log=audit&after=3&limit=2');
    assert.deepEqual(
      next.map(({ sequence, details }) => [sequence, details['name']]),
      [
        [4, 'a'],
        [5, 'b'],
      ],
    );
    assert.deepEqual(await read('log=audit&after=3&limit=2'), next);
    const all = await read('log=audit&limit=1000');
    assert.deepEqual(all.slice(0, 5), [...first, ...next]);
    assert.deepEqual(await read('log=audit&after=999999999'), []);
  });

  test('skips no entry that is committed while it is read', async (context) => {
    const { read, rename } = await startStream(context, engine);
    const seen: number[] = [];
    const writing = Promise.all(Array.from({ length: 30 }, (_, index) => rename(`Name ${index}`)));
    let isWriting = true;
    void writing.then(() => (isWriting = false));
    let after = 0;
    for (let hasMore = true; hasMore;) {
      const wasWriting = isWriting;
      const entries = await read(`log=audit&after=${after}&limit=7`);
      seen.push(...entries.map(({ sequence }) => sequence));
      after = entries.at(-1)?.sequence ?? after;
      hasMore = wasWriting || entries.length > 0;
    }
    await writing;
    const { length } = await read('log=audit');
    assert.deepEqual(
      seen,
      Array.from({ length }, (_, index) => index + 1),
    );
    assert.ok(length >= 33);
  });

  test('has one line for an entry, whatever its texts contain', async (context) => {
    const { server, organizationId, read, path, puller } = await startStream(context, engine);
    const name = 'a\r\n"}\n\u2028\u2029{"log":"audit"} \u{1F600}';
    const record = { organizationId, action: 'report.purged', details: { name } } as const;
    await server.database.write((transaction) => recordAudit(transaction, server.clock, record));
    const entries = await read('log=audit&after=3');
    assert.deepEqual(
      entries.map(({ details }) => details['name']),
      [name],
    );
    const { text, headers } = await server.call(`GET ${path}?log=audit`, { as: puller });
    assert.equal(text.split('\n').length, 5);
    assert.match(String(headers['content-type']), /^application\/x-ndjson/);
  });

  test('is only for the scope, for admins, and of the organization', async (context) => {
    const { server, owner, organizationId, path, puller } = await startStream(context, engine);
    const stranger = await server.createPerson('Eve');
    const other = await server.createOrganization(stranger);
    const foreign = await createServiceAccount(server, stranger, {
      organizationId: other,
      role: 'admin',
      scopes: ['logs:read'],
    });
    const viewing = await createServiceAccount(server, owner, { organizationId, scopes: ['logs:read'] });
    const scopes = ['read', 'administer'] as const;
    const administering = await createToken(server, owner, { organizationId, scopes: [...scopes] });
    const refusals = [
      [stranger, 404, 'not_found'],
      [asPerson(foreign), 404, 'not_found'],
      [asPerson(viewing), 403, 'forbidden'],
      [asPerson(administering), 403, 'insufficient_scope'],
      [await server.createMember(organizationId, 'editor'), 403, 'forbidden'],
    ] as const;
    for (const [as, status, code] of refusals) {
      const refused = problemOf(await server.call(`GET ${path}?log=access`, { as }));
      assert.deepEqual([refused.status, refused.code], [status, code]);
    }
    // The token of a log server can do nothing else.
    for (const line of ['audit', 'members', 'access-log', 'webhooks']) {
      const refused = await server.call(`GET /api/organizations/${organizationId}/${line}`, { as: puller });
      assert.equal(problemOf(refused).code, 'insufficient_scope', line);
    }
  });

  test('refuses a query that is not valid', async (context) => {
    const { server, path, puller } = await startStream(context, engine);
    const queries = [
      '',
      'log=other',
      'log=audit&after=-1',
      'log=audit&after=1e3',
      'log=audit&after=99999999999',
    ];
    for (const query of [...queries, 'log=audit&limit=0', 'log=audit&limit=1001', 'log=audit&after=']) {
      const response = await server.call(`GET ${path}?${query}`, { as: puller });
      assert.equal(problemOf(response).code, 'invalid_parameters', query);
    }
  });

  test('has exports at once, and counts only after their hour', async (context) => {
    const { server, owner, organizationId, read } = await startStream(context, engine);
    const body = { name: 'Board', organizationId };
    const { body: dashboard } = await server.call('POST /api/dashboards', { as: owner, body });
    await server.call(`GET /api/dashboards/${dashboard.id}`, { as: owner });
    await server.call(`GET /api/organizations/${organizationId}/audit/export`, { as: owner });
    const actions = async () => (await read('log=access')).map(({ action }) => action);
    assert.deepEqual(await actions(), ['audit_log.exported']);
    server.advance(61 * 60_000);
    assert.deepEqual(await actions(), ['audit_log.exported', 'dashboard.viewed']);
  });
});

// SQLite has one transaction at a time, so that none is committed late.
describe('the stream of a log on PostgreSQL', () => {
  test('has an entry that is committed late after those that were read before', async (context) => {
    const { server, organizationId, read } = await startStream(context, 'PostgreSQL');
    const entry = (name: string) => ({ organizationId, action: 'report.purged', details: { name } }) as const;
    const release = await holdLocks(server.database, (transaction) =>
      recordAudit(transaction, server.clock, entry('late')),
    );
    const names = async (after: number) =>
      (await read(`log=audit&after=${after}`)).map(({ sequence, details }) => [sequence, details['name']]);
    try {
      await server.database.write((transaction) => recordAudit(transaction, server.clock, entry('early')));
      assert.deepEqual(await names(3), [[4, 'early']]);
    } finally {
      await release();
    }
    assert.deepEqual(await names(4), [[5, 'late']]);
    assert.deepEqual(await names(3), [
      [4, 'early'],
      [5, 'late'],
    ]);
  });
});

describeOnUsualEngine('a webhook for a log', (engine) => {
  test('gets the entries signed and in order, and waits for one that fails', async (context) => {
    const world = await openWebhooks(context, engine);
    const { server, owner, organizationId, receiver, sender, newSender, create, call } = world;
    const { secret } = await create(['log.audit']);
    const { signal } = new AbortController();
    const rename = (name: string) => call(`PATCH /api/organizations/${organizationId}`, { name }, owner);
    receiver.respond = (response) => void response.writeHead(500).end();
    await rename('first');
    await sealLogs(server, signal);
    await sender.sendDue();
    await rename('second');
    await sealLogs(server, signal);
    await rename('third');
    await sealLogs(server, signal);
    await sender.sendDue();
    assert.equal(receiver.received.length, 1, 'the second waits for the first');
    receiver.respond = (response) => void response.writeHead(204).end();
    server.advance(5_000);
    await Promise.all([sender.sendDue(), newSender().sendDue()]);
    const sequences = bodiesOf(receiver.received.slice(1)).flatMap(({ data }) =>
      (data as { entries: { sequence: number }[] }).entries.map(({ sequence }) => sequence),
    );
    assert.deepEqual(
      sequences,
      Array.from({ length: sequences.length }, (_, index) => index + 1),
    );
    assert.equal(sequences.length, 5);
    for (const request of receiver.received.slice(-1)) assert.ok(verify(secret, request, server.clock()));
  });
});
