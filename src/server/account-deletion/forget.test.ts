import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import { invite } from '../../../tests/support/organizations/calls.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnBothEngines, type TestServer } from '../../../tests/support/server/test-server.ts';
import { readAllRows } from '../../../tests/support/storage/all-rows.ts';
import { sealLogs } from '../log-chain/seal.ts';
import { verifyLogs } from '../log-chain/verify.ts';
import { prepare } from '../storage/prepared-query.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import type { StoredSsoConfiguration } from '../sso/configuration/store.ts';
import { endDirectorySessions } from '../sso/logout/logout.ts';
import { forgetDeleted } from './forget.ts';

const sessionOf = prepare((db, p: { tokenHash: string }) =>
  db.selectFrom('sessions').select('id').where('token_hash', '=', p.tokenHash),
);
const signal = new AbortController().signal;
const name = 'Zyxwvut Marker';
const isMarked = (row: string): boolean => /zyxwvut/i.test(row);

async function tablesWithMarker({ database }: TestServer): Promise<string[]> {
  const rows = await readAllRows(database);
  return Object.keys(rows).filter((table) => rows[table]?.some(isMarked));
}

describeOnBothEngines('a deleted person', (engine) => {
  test('is in no row of any table, and the chains of the logs stay valid', async (context) => {
    const { server, owner, organizationId, id: dataSourceId } = await startNewsroom(context, engine);
    const { database, clock } = server;
    const person = await server.createPerson(name);
    const { email, id: userId } = person;
    await setPassword(server, person, 'a password of the marker');
    const call = async (line: string, as = owner, body?: object) => {
      const response = await server.call(line, { as, ...(body !== undefined && { body }) });
      assert.ok(response.status < 300, `${line}: ${response.text}`);
      return response.body;
    };
    const path = `/api/organizations/${organizationId}`;
    await call(`POST ${path}/webhooks`, owner, {
      url: 'https://hooks.example.com/',
      events: ['log.audit', 'member.joined', 'dashboard.created'],
    });
    const { token } = await invite(server, owner, organizationId, email, 'editor');
    await call('POST /api/invitations/accept', person, { token });
    await call(`PATCH ${path}/members/${userId}`, owner, { role: 'viewer' });
    await call(`PATCH ${path}/members/${userId}`, owner, { role: 'admin' });
    await server.call('POST /api/auth/sign-in/email', {
      body: { email, password: 'a password of the marker' },
    });
    await server.call('POST /api/auth/sign-in/email', { body: { email, password: 'a wrong password' } });
    const dashboard = await call('POST /api/dashboards', person, { organizationId, name: 'Week' });
    await call('POST /api/dashboards', person, { name: 'Own', description: name });
    await call(`PUT /api/dashboards/${dashboard.id}/star`, person);
    const thread = await call(`POST /api/dashboards/${dashboard.id}/comments`, person, { text: 'Good' });
    await call(`POST /api/dashboards/${dashboard.id}/comments`, owner, { text: 'Yes', mentions: [userId] });
    await invite(server, person, organizationId, 'guest@example.com', 'viewer');
    await call(`POST ${path}/service-accounts`, person, { name: 'Robot', role: 'viewer' });
    await call('POST /api/reports', person, { organizationId, name: 'R', dataSourceId, query: 'SELECT 1' });
    const at = new Date(clock()).toISOString();
    await database.write(async (transaction) => {
      const insert = (table: string, columns: string, ...values: readonly (string | number)[]) =>
        transaction.execute(
          `insert into ${table} (${columns}) values (${values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')})`,
        );
      await insert(
        'scim_users',
        'organization_id, user_id, user_name, active, attributes, version, created_at, updated_at',
        organizationId,
        userId,
        email,
        1,
        `{"displayName":"${name}"}`,
        1,
        at,
        at,
      );
      await insert('sso_migration_people', 'organization_id, user_id, email', organizationId, userId, email);
      await insert(
        'sso_identities',
        'configuration_id, issuer, subject, organization_id, user_id, created_at',
        'c',
        'https://issuer.example',
        email,
        organizationId,
        userId,
        at,
      );
      await insert(
        'sso_outcomes',
        'configuration_id, organization_id, succeeded_at, success',
        'c',
        organizationId,
        at,
        `${email} signed in as editor.`,
      );
      await insert(
        'sso_tests',
        'id, organization_id, configuration_id, result, created_at',
        't',
        organizationId,
        'c',
        `{"email":"${email}","name":"${name}"}`,
        at,
      );
      await insert(
        'audit_entries',
        'id, organization_id, at, action, details',
        'earlier',
        organizationId,
        at,
        'member.added',
        `{"userId":"${userId}","email":"zyxwvut.earlier@example.com"}`,
      );
      await insert(
        'idempotency_keys',
        'user_id, key_hash, fingerprint, body, created_at',
        owner.id,
        'k',
        'f',
        `{"email":"${email}"}`,
        at,
      );
    });
    await sealLogs(server, signal);
    assert.ok((await tablesWithMarker(server)).length > 8);

    const deleted = await server.call('POST /api/auth/delete-account', {
      as: person,
      body: { email, organizations: [{ organizationId, handOverTo: owner.id }] },
    });
    assert.equal(deleted.status, 204, deleted.text);
    // The words of deleted dashboards leave the index within a second, or before a list is read.
    await call('GET /api/dashboards?q=week');
    assert.deepEqual(await tablesWithMarker(server), []);
    server.advance(2 * 3_600_000);
    await sealLogs(server, signal);
    const [audit] = await verifyLogs(database, organizationId);
    assert.equal(audit?.break, undefined);
    assert.ok((audit?.removedCount ?? 0) > 3);
    const comments = await server.call(`GET /api/dashboards/${dashboard.id}/comments`, { as: owner });
    assert.match(comments.text, /Deleted person [2-9A-Z]{10}/);
    assert.ok(comments.text.includes(thread.id));

    // What a request stored that was running meanwhile.
    await database.write(async (transaction) => {
      await transaction.execute(
        `insert into dashboards (id, user_id, name, widgets, version, created_at, updated_at, updated_by, change)
         values ('late', '${userId}', 'Late', '[]', 1, '${at}', '${at}', '${userId}', 'created')`,
      );
      await transaction.execute(
        `insert into dashboard_visits (user_id, dashboard_id, visited_at) values ('${userId}', '${dashboard.id}', '${at}')`,
      );
    });
    await forgetDeleted(server, signal);
    const rows = await readAllRows(database);
    assert.deepEqual(rows['account_deletions'], []);
    for (const table of ['dashboard_visits', 'dashboard_stars', 'sessions'])
      assert.ok(!rows[table]?.some((row) => row.includes(userId)), table);
    assert.ok(!rows['dashboards']?.some((row) => row.includes('"late"')));
    assert.ok(rows['audit_entries']?.some((row) => row.includes(userId)));
  });

  test('with an address that nobody has confirmed leaves what others with the address did', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const { database } = server;
    const victim = await server.createMember(organizationId, 'editor');
    const liar = await server.createPerson('Liar');
    await server.addMember(organizationId, liar, 'viewer');
    await server.call(`PATCH /api/organizations/${organizationId}/members/${victim.id}`, {
      as: owner,
      body: { role: 'viewer' },
    });
    await database.write((transaction) =>
      transaction.execute(
        `update users set email = '${victim.email}', organization_id = '${organizationId}', is_email_verified = 0 where id = '${liar.id}'`,
      ),
    );
    const as = await server.createSsoSession(liar, organizationId);
    const body = { email: victim.email, organizations: [] };
    assert.equal((await server.call('POST /api/auth/delete-account', { as, body })).status, 204);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner });
    const change = audit.body.items.find(
      ({ action }: { action: string }) => action === 'member.role_changed',
    );
    assert.equal(change.details.email, victim.email);
  });

  test('with an unconfirmed address is removed from the log of sessions that the directory ended', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const { database, clock } = server;
    await server.call(`POST /api/organizations/${organizationId}/webhooks`, {
      as: owner,
      body: { url: 'https://hooks.example.com/', events: ['log.audit'] },
    });
    const bob = await server.createMember(organizationId, 'viewer');
    const session = await server.createSsoSession(bob, organizationId);
    await database.write(async (transaction) => {
      await transaction.execute(
        `update users set organization_id = '${organizationId}', is_email_verified = 0 where id = '${bob.id}'`,
      );
      const { id } = (await transaction.first(sessionOf, { tokenHash: hashToken(session.token) })) ?? {};
      // Sound because these are the only columns of the configuration that it uses.
      const configuration = { id: 'c', organizationId } as StoredSsoConfiguration;
      const reason = { seconds: undefined, messageEnd: '', details: {} };
      await endDirectorySessions(transaction, { clock }, configuration, [id ?? ''], reason);
    });
    await sealLogs(server, signal);
    const find = async (text: string) => {
      const { audit_entries: entries = [], webhook_deliveries: deliveries = [] } =
        await readAllRows(database);
      return [...entries, ...deliveries].filter(
        (row) => row.includes('sso.sessions.ended') && row.includes(text),
      );
    };
    assert.equal((await find(bob.email)).length, 2);
    const as = await server.createSsoSession(bob, organizationId);
    const body = { email: bob.email, organizations: [] };
    const deleted = await server.call('POST /api/auth/delete-account', { as, body });
    assert.equal(deleted.status, 204, deleted.text);
    assert.deepEqual(await find(bob.email), []);
    assert.equal((await find('')).length, 2);
  });

  test('with the address of somebody else, or a part of it, leaves what the logs say about others', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const { database } = server;
    const anna = await server.createMember(organizationId, 'editor');
    const hostile = await server.createPerson('Mallory');
    const elsewhere = await server.createOrganization(hostile);
    const detailsOf = async (action: string) => {
      const { body } = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner });
      return body.items.find((item: { action: string }) => item.action === action)?.details;
    };
    await invite(server, owner, organizationId, 'boss@other.example', 'viewer');
    await server.call(`PATCH /api/organizations/${organizationId}/members/${anna.id}`, {
      as: owner,
      body: { role: 'viewer' },
    });
    await server.call(`POST /api/organizations/${organizationId}/webhooks`, {
      as: owner,
      body: { url: 'https://hooks.example.com/', events: ['log.audit'] },
    });
    await sealLogs(server, signal);
    const before = [await detailsOf('invitation.created'), await detailsOf('member.role_changed')];
    assert.deepEqual(
      before.map(({ email }) => email),
      ['boss@other.example', anna.email],
    );
    // Admins can register any address that has no account, by an invitation to an organization of their own.
    for (const email of ['boss@other.example', anna.email.slice(1), 's@other.example']) {
      const { token } = await invite(server, hostile, elsewhere, email, 'viewer');
      const created = await server.call('POST /api/invitations/sign-up', {
        body: { token, name: 'Puppet', password: 'a password of the puppet' },
      });
      assert.ok(created.status < 300, created.text);
      const session = /auth\.session_token=([^;]+)/.exec(String(created.headers['set-cookie']))?.[1] ?? '';
      const puppet = { id: created.body.user.id, email, token: session };
      const body = { email, organizations: [] };
      const deleted = await server.call('POST /api/auth/delete-account', { as: puppet, body });
      assert.equal(deleted.status, 204, deleted.text);
    }
    assert.deepEqual([await detailsOf('invitation.created'), await detailsOf('member.role_changed')], before);
    const deliveries = (await readAllRows(database))['webhook_deliveries'] ?? [];
    assert.ok(deliveries.some((row) => row.includes(anna.email)));

    // A member with the end of the address of another.
    const short = await server.createPerson('Short');
    await server.addMember(organizationId, short, 'viewer');
    await database.write((transaction) =>
      transaction.execute(`update users set email = '${anna.email.slice(2)}' where id = '${short.id}'`),
    );
    const body = { email: anna.email.slice(2), organizations: [] };
    assert.equal((await server.call('POST /api/auth/delete-account', { as: short, body })).status, 204);
    assert.deepEqual(await detailsOf('member.role_changed'), before[1]);
  });

  test('is removed after a line break, from one text and not from those about a longer address', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const { database, clock } = server;
    const [bob, nbob] = ['bob@evil.example', 'nbob@evil.example'];
    await server.call(`POST /api/organizations/${organizationId}/webhooks`, {
      as: owner,
      body: { url: 'https://hooks.example.com/', events: ['dashboard.created'] },
    });
    const createMember = async (email: string) => {
      const { token } = await invite(server, owner, organizationId, email, 'viewer');
      const { body, headers } = await server.call('POST /api/invitations/sign-up', {
        body: { token, name: 'Puppet', password: 'a password of the puppet' },
      });
      const session = /auth\.session_token=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
      return { id: body.user.id as string, email, token: session };
    };
    const members = [await createMember(bob), await createMember(nbob)];
    const created = await server.call('POST /api/dashboards', {
      as: owner,
      body: { organizationId, name: `Questions to:\n${bob} or\n${nbob}` },
    });
    assert.equal(created.status, 201, created.text);
    const at = new Date(clock()).toISOString();
    await database.write(async (transaction) => {
      await transaction.execute(
        `insert into sso_outcomes (configuration_id, organization_id, failed_at, failure)
         values ('c', '${organizationId}', '${at}', '${bob} or ${nbob}')`,
      );
      for (const email of [bob, nbob])
        await transaction.execute(
          `insert into sso_tests (id, organization_id, configuration_id, result, created_at)
           values ('${email.slice(0, -13)}', '${organizationId}', 'c', '{"email":"${email}"}', '${at}')`,
        );
    });
    const rowsOf = async (...tables: string[]) => {
      const rows = await readAllRows(database);
      return tables.flatMap((table) => rows[table] ?? []).join('\n');
    };
    const deleteAccount = async (as: (typeof members)[number] | undefined) => {
      const body = { email: as?.email, organizations: [] };
      const path = 'POST /api/auth/delete-account';
      const deleted = await server.call(path, { ...(as && { as }), body });
      assert.equal(deleted.status, 204, deleted.text);
    };
    await deleteAccount(members[0]);
    const left = await rowsOf('webhook_deliveries', 'sso_outcomes', 'sso_tests');
    // One in each table. A line break is `\\n` there, so it would be counted if the shorter address were left.
    assert.equal(left.match(/bob@evil/g)?.length, 3, left);
    await deleteAccount(members[1]);
    assert.doesNotMatch(await rowsOf('webhook_deliveries', 'sso_outcomes', 'sso_tests'), /bob@evil/);
    const { body: sent } =
      (await database.first(
        prepare((db) => db.selectFrom('webhook_deliveries').select('body')),
        {},
      )) ?? assert.fail();
    assert.match(JSON.parse(sent).data.dashboard.name, /^Questions to:\n\S+ or\n\S+$/);
  });

  test('is removed from the log of an organization that only others changed them in', async (context) => {
    const { server, owner, organizationId } = await startNewsroom(context, engine);
    const person = await server.createPerson(name);
    await server.addMember(organizationId, person, 'viewer');
    const path = `/api/organizations/${organizationId}/members/${person.id}`;
    await server.call(`PATCH ${path}`, { as: owner, body: { role: 'editor' } });
    assert.equal((await server.call(`DELETE ${path}`, { as: owner })).status, 204);
    const body = { email: person.email, organizations: [] };
    const deleted = await server.call('POST /api/auth/delete-account', { as: person, body });
    assert.equal(deleted.status, 204, deleted.text);
    assert.deepEqual(await tablesWithMarker(server), []);
  });
});
