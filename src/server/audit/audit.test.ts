import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { recordAudit } from './audit.ts';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actorId?: string;
  readonly details: Record<string, unknown>;
}

const minuteMs = 60_000;

describeOnBothEngines('the audit log', (engine) => {
  test('lists who did what and when, newest first', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id, bob } = await createHistory(server);
    const { status, body } = await list(server, ada, id);
    assert.equal(status, 200);
    const [removed, ...others] = body.items as Entry[];
    assert.deepEqual(removed, {
      id: removed?.id,
      at: '2026-11-21T09:04:00.000Z',
      action: 'member.removed',
      actorId: ada.id,
      actorEmail: ada.email,
      details: { userId: bob.id, email: bob.email, role: 'admin' },
    });
    assert.deepEqual(
      others.map(({ at, action, actorId }) => [at.slice(11, 16), action, actorId]),
      [
        ['09:03', 'organization.renamed', bob.id],
        ['09:02', 'member.role_changed', ada.id],
        ['09:01', 'sso.configuration.saved', ada.id],
        ['09:00', 'organization.created', ada.id],
      ],
    );
    const ids = (body.items as Entry[]).map((entry) => entry.id);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  test('shortens long details, so that its pages stay small', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const emailDomains = Array.from({ length: 5_000 }, (_, index) => `d${index}.example`);
    const clientId = `${'x'.repeat(999)}\u{1F600}${'x'.repeat(100_000)}`;
    const body = { provider: 'idp_ad', clientId, emailDomains, enabled: true };
    assert.equal((await server.call(`POST /api/sso/orgs/${id}/config`, { as: ada, body })).status, 200);
    const [saved] = (await list(server, ada, id, 'action=sso.configuration.saved')).body.items as Entry[];
    assert.deepEqual(
      [saved?.details['clientId'], saved?.details['emailDomains']],
      [
        `${'x'.repeat(999)}\uFFFD… (100001 more characters)`,
        [...emailDomains.slice(0, 100), '… (4900 more)'],
      ],
    );
  });

  test('is filtered by time, actor and action, one by one and combined', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id, bob } = await createHistory(server);
    const found = async (query: string) => {
      const { status, body, text } = await list(server, ada, id, query);
      assert.equal(status, 200, text);
      return (body.items as Entry[]).map(({ at }) => Number(at.slice(14, 16)));
    };
    const expected: Record<string, number[]> = {
      '': [4, 3, 2, 1, 0],
      'from=2026-11-21': [4, 3, 2, 1, 0],
      'from=2026-11-22': [],
      'to=2026-11-21': [],
      'to=2026-11-22': [4, 3, 2, 1, 0],
      'from=2026-11-21T09:02:00Z': [4, 3, 2],
      'from=2026-11-21T09:02:00.000Z': [4, 3, 2],
      'from=2026-11-21T09:02:00.001Z': [4, 3],
      'to=2026-11-21T09:02:00Z': [1, 0],
      'to=2026-11-21T09:02:00.001Z': [2, 1, 0],
      'from=2026-11-21T09:02Z&to=2026-11-21T09:04Z': [3, 2],
      'from=2026-11-21T11:03:00%2B02:00': [4, 3],
      'to=2026-11-21T04:03:00-05:00': [2, 1, 0],
      [`actorId=${bob.id}`]: [3],
      [`actorId=${ada.id}`]: [4, 2, 1, 0],
      [`actorId=${crypto.randomUUID()}`]: [],
      'action=member.removed': [4],
      'action=member': [],
      'action=MEMBER.REMOVED': [],
      'action=': [],
      [`actorId=${ada.id}&action=organization.renamed`]: [],
      [`actorId=${ada.id}&from=2026-11-21T09:02Z&action=member.removed`]: [4],
      'action=%27%20or%201=1--': [],
      'action=member%25': [],
    };
    const seen: Record<string, number[]> = {};
    for (const query of Object.keys(expected)) seen[query] = await found(query);
    assert.deepEqual(seen, expected);
  });

  test('refuses a time that is not valid', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const times = ['yesterday', '2026', '2026-11-21T09', '2026-11-21%2009:00', '2026-11-21x', '%00', ''];
    for (const path of ['audit', 'audit/export']) {
      for (const name of ['from', 'to']) {
        for (const time of [...times, '2026-13-01', '2026-02-30', '2026-11-21T99:00:00Z']) {
          const response = await server.call(`GET /api/organizations/${id}/${path}?${name}=${time}`, {
            as: ada,
          });
          const { status, code, faults } = problemOf(response);
          assert.deepEqual([status, code, faults?.length], [400, 'invalid_parameters', 1], `${path} ${time}`);
          assert.match(faults?.[0] ?? '', new RegExp(`^/${name} `));
        }
      }
    }
  });

  test('is read in pages, each entry once, even while more are written', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id } = await createHistory(server);
    const all = (await list(server, ada, id)).body.items as Entry[];
    const seen: Entry[] = [];
    let query = 'limit=1';
    for (let page = 0; page < 10 && query !== ''; page += 1) {
      const { body } = await list(server, ada, id, query);
      seen.push(...body.items);
      await rename(server, ada, id, `Name ${page}`);
      query = body.nextCursor === undefined ? '' : `limit=1&cursor=${body.nextCursor}`;
    }
    assert.deepEqual(seen, all);
    const filtered = await list(server, ada, id, 'limit=2&action=organization.renamed');
    assert.equal(filtered.body.items.length, 2);
    const next = `limit=2&action=organization.renamed&cursor=${filtered.body.nextCursor}`;
    const actions = (await list(server, ada, id, next)).body.items.map(({ action }: Entry) => action);
    assert.deepEqual(actions, ['organization.renamed', 'organization.renamed']);
  });

  test('is exported completely as NDJSON, with the same filters', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id } = await createHistory(server);
    // More than is read at a time.
    await server.database.write(async (transaction) => {
      for (let number = 0; number < 1_101; number += 1) {
        const details = { number, text: 'line\nbreak "é" \u2028' };
        await recordAudit(transaction, Date.now, {
          organizationId: id,
          action: 'organization.renamed',
          details,
        });
      }
    });
    const { status, headers, text } = await exportLog(server, ada, id);
    assert.deepEqual(
      [status, headers['content-type'], headers['content-disposition']],
      [200, 'application/x-ndjson; charset=utf-8', 'attachment; filename="audit.ndjson"'],
    );
    assert.ok(text.endsWith('\n'));
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    assert.equal(new Set(entries.map((entry) => entry.id)).size, 1_106);
    assert.deepEqual(entries.slice(0, 4), (await list(server, ada, id)).body.items.slice(0, 4));
    assert.deepEqual(entries[1_100]?.details, { number: 0, text: 'line\nbreak "é" \u2028' });
    const saved = await exportLog(server, ada, id, 'action=sso.configuration.saved');
    assert.equal(saved.text.split('\n').length, 2);
    assert.deepEqual(
      await exportLog(server, ada, id, 'from=2030-01-01').then((empty) => [empty.status, empty.text]),
      [200, ''],
    );
  });

  test('is shown to owners and admins, and only for their own organization', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id } = await createHistory(server);
    const eve = await server.createPerson('Eve');
    const foreign = await server.createOrganization(eve);
    await rename(server, eve, foreign, 'Elsewhere');
    for (const path of ['audit', 'audit/export']) {
      const read = async (as: Person, organizationId = id) =>
        (await server.call(`GET /api/organizations/${organizationId}/${path}`, { as })).status;
      assert.equal(await read(await server.createMember(id, 'viewer')), 403);
      assert.equal(await read(await server.createMember(id, 'editor')), 403);
      assert.equal(await read(await server.createMember(id, 'admin')), 200);
      assert.deepEqual([await read(eve), await read(ada, foreign), await read(ada, 'x')], [404, 404, 404]);
    }
    const { text } = await exportLog(server, ada, id);
    assert.doesNotMatch(text, new RegExp(`${eve.id}|${foreign}|Elsewhere`));
    const cursor = Buffer.from('ffffffff-ffff-7fff-bfff-ffffffffffff').toString('base64url');
    const { body } = await list(server, ada, id, `cursor=${cursor}&actorId=${eve.id}`);
    assert.deepEqual(body, { items: [] });
  });

  test('never contains a secret', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id } = await createHistory(server);
    const codes = await server.call(`POST /api/sso/orgs/${id}/recovery-codes`, { as: ada });
    const invited = await server.call(`POST /api/organizations/${id}/invitations`, {
      as: ada,
      body: { email: 'new@contoso.example', role: 'viewer' },
    });
    const { text } = await exportLog(server, ada, id);
    const secrets = ['canary', ...codes.body.items, invited.body.link.split('#')[1], ada.token];
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
    );
    assert.match(text, /"secretChanged":true/);
  });

  test('is written in the transaction of each change, so that failed changes are not in it', async (context) => {
    const server = await startTestServer(context, engine);
    const { ada, id } = await createHistory(server);
    const before = (await exportLog(server, ada, id)).text;
    const failing = [
      [`DELETE /api/organizations/${id}/members/${ada.id}`, undefined, 409],
      [`PATCH /api/organizations/${id}/members/${crypto.randomUUID()}`, { role: 'viewer' }, 404],
      [`PATCH /api/organizations/${id}`, { name: '' }, 400],
      [`PUT /api/sso/orgs/${id}/policy`, { requireSso: true, defaultRole: 'viewer', roleMappings: [] }, 409],
    ] as const;
    for (const [line, body, status] of failing) {
      assert.equal((await server.call(line, { as: ada, ...(body && { body }) })).status, status, line);
    }
    assert.equal((await exportLog(server, ada, id)).text, before);
  });
});

test('no route changes or removes an entry of the audit log, and no other query than those listed', () => {
  const changing = routes.filter(({ method, path }) => path.includes('/audit') && method !== 'GET');
  assert.deepEqual(changing, []);
  const source = new URL('../../', import.meta.url);
  const writing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file.replaceAll('\\', '/'), source), 'utf8');
      const queries = [...text.matchAll(/(\w+)\(\s*'audit_entries'/g)].map(([, query]) => query);
      const statements = [...text.matchAll(/\b(update|delete from|drop table|truncate)\s+audit_entries/gi)];
      return [...queries, ...statements.map(([statement]) => statement)].map((query) => `${file} ${query}`);
    });
  assert.deepEqual(writing.filter((line) => !/ (selectFrom|count)$/.test(line)).toSorted(), [
    // The details of an entry are removed with the account that they name. Its hash stays, and so does the chain.
    'server/account-deletion/log-queries.ts updateTable',
    'server/audit/audit.ts insertInto',
    // A restore adds an entry to the log of each organization.
    'server/backup/restore/changes.ts has',
    // Counts the entries that are in no chain yet.
    'server/log-chain/store.ts unsealed',
    // The chain adds a number and a hash to an entry, and changes nothing of it.
    'server/log-chain/store.ts updateTable',
  ]);
});

/** An organization in which something happened at 09:00 and the four minutes after. */
async function createHistory(server: TestServer): Promise<{ ada: Person; bob: Person; id: string }> {
  const ada = await server.createPerson('Ada');
  const id = await server.createOrganization(ada);
  const bob = await server.createMember(id, 'viewer');
  const steps: [string, Person, object | undefined][] = [
    [
      `POST /api/sso/orgs/${id}/config`,
      ada,
      {
        provider: 'idp_ad',
        clientId: 'client',
        clientSecret: 'the secret canary',
        emailDomains: ['contoso.example'],
        enabled: false,
      },
    ],
    [`PATCH /api/organizations/${id}/members/${bob.id}`, ada, { role: 'admin' }],
    [`PATCH /api/organizations/${id}`, bob, { name: 'Renamed' }],
    [`DELETE /api/organizations/${id}/members/${bob.id}`, ada, undefined],
  ];
  for (const [line, as, body] of steps) {
    server.advance(minuteMs);
    const { status, text } = await server.call(line, { as, ...(body && { body }) });
    assert.ok(status < 300, `${line}: ${text}`);
  }
  return { ada, bob, id };
}

const list = (server: TestServer, as: Person, id: string, query = ''): Promise<TestResponse> =>
  server.call(`GET /api/organizations/${id}/audit?${query}`, { as });

const exportLog = (server: TestServer, as: Person, id: string, query = ''): Promise<TestResponse> =>
  server.call(`GET /api/organizations/${id}/audit/export?${query}`, { as });

async function rename(server: TestServer, as: Person, id: string, name: string): Promise<void> {
  const { status } = await server.call(`PATCH /api/organizations/${id}`, { as, body: { name } });
  assert.equal(status, 200);
}
