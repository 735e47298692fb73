import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { createBackup } from '../../../src/server/backup/create.ts';
import { insertRows } from '../../../src/server/backup/dump/rows.ts';
import { readManifest, type Manifest } from '../../../src/server/backup/manifest.ts';
import { createDashboard } from '../dashboards/team.ts';
import { openNewsroom } from '../reports/newsroom.ts';
import { migrate } from '../../../src/server/storage/migrations/migrations.ts';
import { openUnchanged } from '../../../src/server/storage/open-database.ts';
import { setPassword } from '../organizations/passwords.ts';
import {
  createTestPlace,
  startTestServer,
  type Engine,
  type Person,
  type TestPlace,
  type TestServer,
} from '../server/test-server.ts';
import type { Owner } from '../endings.ts';

/** Backups of servers of each released version, which later versions have to be able to upgrade. */
const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'databases');

/** What every fixture has, apart from a row in each table. The key is that of the test servers. */
export const fixtureContent = {
  email: 'ada.1@example.com',
  password: 'a stapled horse of fixtures',
  dashboard: 'Weekly sales',
  report: 'Sales by region',
  table: 'sales',
  deletedTable: 'old',
  secretCount: 2,
};

/** Returns the fixtures of an engine, such as `v0.1.0-schema-25-sqlite.tar.gz`. */
export const fixturesOf = (engine: Engine): string[] =>
  readdirSync(fixtures).filter((name) => name.endsWith(`-${engine.toLowerCase()}.tar.gz`));

/** Stores a fixture of the present version, and returns its path. */
export async function writeFixture(owner: Owner, engine: Engine, version: string): Promise<string> {
  const server = await startTestServer(owner, engine);
  await fillEveryTable(server);
  const directory = join(server.dataDirectory, 'fixture');
  const { database, dataDirectory, clock } = server;
  const { schemaVersion, rowCounts } = await createBackup(
    { database, clock, dataDirectory, version },
    directory,
    { withKey: false },
  );
  const empty = Object.keys(rowCounts).filter((table) => rowCounts[table] === 0);
  assert.deepEqual(empty, [], 'Add a row to each of these tables in `fillEveryTable`.');
  const file = join(fixtures, `v${version}-schema-${schemaVersion}-${engine.toLowerCase()}.tar.gz`);
  await create(
    { gzip: { level: 9 }, file, cwd: directory, portable: true, mtime: new Date(0) },
    readdirSync(directory),
  );
  return file;
}

/** Extracts a fixture into a new place, with the schema that it was stored with. */
export async function extractFixture(
  engine: Engine,
  name: string,
): Promise<TestPlace & { readonly manifest: Manifest }> {
  const place = await createTestPlace(engine);
  const { dataDirectory } = place;
  mkdirSync(dataDirectory, { recursive: true });
  await extract({ file: join(fixtures, name), cwd: dataDirectory });
  const manifest = await readManifest(dataDirectory);
  await writeFile(join(dataDirectory, 'sources', 'instance-id'), `${manifest.instanceId}\n`);
  if (engine === 'PostgreSQL') {
    const database = await openUnchanged(place);
    await migrate(database, { toVersion: manifest.schemaVersion });
    await database.writeSlowly((transaction) => insertRows(transaction, dataDirectory, manifest.rowCounts));
    await database.close();
  }
  for (const leftover of ['rows', 'manifest.json'])
    await rm(join(dataDirectory, leftover), { recursive: true, force: true });
  return { ...place, manifest };
}

/** Uses every feature that stores something. What needs other servers is inserted. */
export async function fillEveryTable(server: TestServer): Promise<{ organizationId: string; owner: Person }> {
  const { owner, organizationId, path, upload, save } = await openNewsroom(server);
  const { email, password, dashboard: name, report, deletedTable } = fixtureContent;
  assert.equal(owner.email, email);
  await setPassword(server, owner, password);
  const post = async (line: string, body: object, headers = {}): Promise<{ id: string }> => {
    const response = await server.call(line, { as: owner, body, headers });
    assert.ok(response.status < 300, `${line}: ${response.text}`);
    return response.body;
  };
  const members = `POST /api/organizations/${organizationId}`;
  await upload(deletedTable, 'a\n1\n');
  assert.equal((await server.call(`DELETE ${path}/tables/${deletedTable}`, { as: owner })).status, 204);
  const { id: reportId } = await save({
    name: report,
    query: 'select region, sum(amount) as total from sales group by all order by all',
  });
  await server.call(`PUT /api/reports/${reportId}`, {
    as: owner,
    body: {
      name: report,
      dataSourceId: path.split('/').at(-1),
      query: 'select region, sum(amount) as amount from sales group by all order by all',
    },
    headers: { 'if-match': '*' },
  });
  const dashboardId = await createDashboard(server, owner, {
    name,
    organizationId,
    widgets: [{ id: 'w1', reportId, name: 'Sales', type: 'table' }],
  });
  await server.call(`PUT /api/dashboards/${dashboardId}`, {
    as: owner,
    body: {
      name,
      organizationId,
      description: 'By region',
      widgets: [{ id: 'w1', reportId, name: 'Sales', type: 'table' }],
    },
    headers: { 'if-match': '*' },
  });
  await server.call(`PUT /api/dashboards/${dashboardId}/star`, { as: owner });
  await post(`${members}/invitations`, { email: 'bob@example.com', role: 'viewer' });
  await post(`POST /api/sso/orgs/${organizationId}/config`, {
    provider: 'idp_ad',
    clientId: 'client',
    clientSecret: 'a secret of the directory',
    tenantId: '11111111-2222-4333-8444-555555555555',
    emailDomains: ['example.org'],
    enabled: false,
  });
  await post('POST /api/dashboards', { name: 'Own', organizationId }, { 'idempotency-key': 'fixture' });
  // The index of dashboards is written before a list is read.
  const found = await server.call('GET /api/dashboards?q=weekly', { as: owner });
  assert.equal(found.body.items.length, 1, found.text);
  await insertOthers(server, { organizationId, userId: owner.id, dashboardId });
  return { organizationId, owner };
}

async function insertOthers(
  { database, secretBox, clock }: TestServer,
  { organizationId, userId, dashboardId }: { organizationId: string; userId: string; dashboardId: string },
): Promise<void> {
  const at = new Date(clock()).toISOString();
  const password = secretBox.seal(organizationId, 'data-source-password', 'a password of a source');
  const clientKey = secretBox.seal(organizationId, 'sso-client-key', 'a private key');
  const webhookSecret = secretBox.seal(organizationId, 'webhook-secret', 'a secret of a webhook');
  const o = organizationId;
  const rows: readonly (readonly [table: string, columns: string, values: readonly unknown[]])[] = [
    [
      'data_sources',
      'id, organization_id, name, kind, password, created_at, updated_at',
      ['source', o, 'Server', 'postgresql', password, at, at],
    ],
    ['organizations', 'id, name, created_at, updated_at', ['gone', 'Gone', at, at]],
    ['account_deletions', 'user_id, email, deleted_at', [userId, 'ada@example.org', at]],
    ['set_up_links', 'token_hash, expires_at', ['hash', at]],
    [
      'authenticator_apps',
      'user_id, secret, created_at, last_step',
      [userId, secretBox.seal(userId, 'authenticator-app', 'JBSWY3DPEHPK3PXP'), at, 1],
    ],
    ['recovery_codes', 'code_hash, user_id, created_at', ['hash', userId, at]],
    ['pending_sign_ins', 'token_hash, user_id, attempts, expires_at', ['hash', userId, 0, at]],
    [
      'passkeys',
      'id, credential_id, user_id, user_handle, host, public_key, counter, transports, name, created_at',
      ['passkey', 'credential', userId, 'handle', 'localhost', 'key', 4_294_967_295, '[]', 'Laptop', at],
    ],
    [
      'passkey_challenges',
      'token_hash, challenge, purpose, user_id, expires_at',
      ['hash', 'challenge', 'confirm', userId, at],
    ],
    ['password_resets', 'token_hash, user_id, created_at, expires_at', ['hash', userId, at, at]],
    ['former_sso_configurations', 'organization_id, id, version, created_at', [o, 'former', 1, at]],
    ['session_policies', 'organization_id, addresses', [o, '[]']],
    [
      'sso_policies',
      'organization_id, configuration_id, default_role, role_mappings',
      [o, '', 'viewer', '[]'],
    ],
    [
      'sso_domains',
      'domain, organization_id, configuration_id, proven_by, proven_at, checked_at',
      ['example.org', o, 'former', userId, at, at],
    ],
    [
      'sso_identities',
      'configuration_id, issuer, subject, organization_id, user_id, created_at',
      ['former', 'https://issuer.example', 'subject', o, userId, at],
    ],
    [
      'sso_attempts',
      'state_hash, organization_id, configuration_id, configuration_version, browser_hash, nonce, code_verifier, return_to, expires_at',
      ['hash', o, 'former', 1, 'hash', 'nonce', 'verifier', '/', at],
    ],
    [
      'sso_certificates',
      'id, organization_id, configuration_id, certificate, private_key, created_at, expires_at, used_since',
      ['certificate', o, 'former', '', clientKey, at, at, at],
    ],
    ['sso_tests', 'id, organization_id, created_at', ['test', o, at]],
    ['sso_outcomes', 'configuration_id, organization_id', ['former', o]],
    ['sso_recovery_codes', 'code_hash, organization_id, user_id, created_at', ['hash', o, userId, at]],
    ['sso_migrations', 'organization_id, by_address, accepted_at', [o, 1, at]],
    ['sso_migration_people', 'organization_id, user_id, email', [o, userId, 'ada@example.org']],
    ['dashboard_streams', 'id, dashboard_id, user_id, expires_at', ['stream', dashboardId, userId, at]],
    [
      'display_links',
      'id, token_hash, dashboard_id, organization_id, name, filters, created_by, method, satisfies_sso, created_at',
      ['display', 'hash', dashboardId, o, 'Lobby', '', userId, 'password', 0, at],
    ],
    [
      'webhooks',
      'id, organization_id, url, events, secret, enabled, created_at, updated_at',
      ['webhook', o, 'https://hooks.example/', '[]', webhookSecret, 1, at, at],
    ],
    [
      'proposals',
      'id, organization_id, kind, record_id, name, content, summary, created_by, status, created_at, expires_at',
      ['proposal', o, 'dashboard', 'new', 'Proposed', '{}', 'Why', userId, 'declined', at, at],
    ],
    ['proposed_versions', 'dashboard_id, version, user_id', [dashboardId, 1, userId]],
    [
      'webhook_deliveries',
      'id, webhook_id, event, body, created_at, status',
      ['delivery', 'webhook', 'dashboard.changed', '{}', at, 'failed'],
    ],
    ['dashboard_editors', 'dashboard_id, user_id, expires_at', [dashboardId, userId, at]],
    [
      'comment_threads',
      'id, dashboard_id, version, widget_id, mark, resolved_at, resolved_by',
      ['comment', dashboardId, 1, 'widget', '{"values":{"a":1},"text":"1"}', at, userId],
    ],
    [
      'comments',
      'id, thread_id, user_id, content, created_at',
      ['comment', 'comment', userId, 'Why is this so high?', at],
    ],
    ['comment_mentions', 'comment_id, user_id', ['comment', userId]],
    ['comment_counts', 'dashboard_id, revision, open_count, comment_count', [dashboardId, 1, 0, 1]],
    [
      'shares',
      'record_id, grantee_kind, grantee_id, record_kind, organization_id, access',
      [dashboardId, 'user', userId, 'dashboard', o, 'edit'],
    ],
    ['member_groups', 'organization_id, user_id, group_id', [o, userId, 'Sales']],
    [
      'suspended_members',
      'organization_id, user_id, role, created_at, suspended_at',
      [o, userId, 'viewer', at, at],
    ],
    [
      'scim_users',
      'organization_id, user_id, user_name, active, attributes, version, created_at, updated_at',
      [o, userId, 'ada@example.org', 0, '{}', 1, at, at],
    ],
    [
      'scim_groups',
      'id, organization_id, name, display_name, display_key, version, created_at, updated_at',
      ['scim-group', o, 'Sales', 'Sales', 'sales', 1, at, at],
    ],
    ['scim_group_members', 'group_id, user_id', ['scim-group', userId]],
    ['report_tombstones', 'id, organization_id, name', ['report', o, 'Gone']],
    [
      'uploads',
      'id, organization_id, user_id, file, format, size_bytes, created_at',
      ['upload', o, userId, 'file.upload', 'csv', 1, at],
    ],
    [
      'images',
      'organization_id, hash, type, width, height, size_bytes, content, created_at',
      [o, 'a'.repeat(64), 'image/png', 1, 1, 1, 'AA==', at],
    ],
    ['dashboard_images', 'organization_id, hash, dashboard_id', [o, 'a'.repeat(64), dashboardId]],
    ['image_uploaders', 'organization_id, hash, user_id', [o, 'a'.repeat(64), userId]],
    [
      'folders',
      'id, organization_id, user_id, name, version, created_at, updated_at',
      ['folder', o, userId, 'Sales', 1, at, at],
    ],
    ['folder_paths', 'folder_id, ancestor_id, distance', ['folder', 'folder', 0]],
    ['deleted_organizations', 'organization_id, deleted_at, ends_at', ['gone', at, at]],
    ['deleted_members', 'organization_id, user_id, role, created_at', ['gone', userId, 'owner', at]],
    ['restore_links', 'token_hash, organization_id, user_id', ['hash', 'gone', userId]],
    ['jobs', 'name', ['a job']],
    ['limited_attempts', 'key, count, expires_at', ['key', 1, 1]],
    ['file_leases', 'id, expires_at', ['lease', at]],
  ];
  await database.write(async (transaction) => {
    for (const [table, columns, values] of rows) {
      const list = values
        .map((value) => (typeof value === 'number' ? value : `'${String(value)}'`))
        .join(', ');
      await transaction.execute(`insert into ${table} (${columns}) values (${list})`);
    }
    await transaction.execute(
      `insert into dashboard_visits (user_id, dashboard_id, visited_at) values ('${userId}', '${dashboardId}', '${at}') on conflict do nothing`,
    );
    await transaction.execute(
      `insert into dashboard_stars (user_id, dashboard_id, starred_at) values ('${userId}', '${dashboardId}', '${at}') on conflict do nothing`,
    );
    await transaction.execute(
      `insert into sso_id_tokens (session_id, id_token) select min(id), 'sealed' from sessions`,
    );
    await transaction.execute(
      `insert into sso_sessions (session_id, configuration_id, issuer, subject, created_at)
       select min(id), 'configuration', 'https://issuer.example', 'subject', '${at}' from sessions`,
    );
    await transaction.execute(
      `insert into access_entries (id, organization_id, at, last_at, action, count, details)
       select 'viewed', id, '${at}', '${at}', 'dashboard.viewed', 1, '{}' from organizations limit 1`,
    );
    await transaction.execute(
      `insert into sso_refresh_tokens
         (session_id, organization_id, configuration_id, discovery_url, client_id, refresh_token, checked_at, due_at)
       select min(id), '', 'configuration', 'https://issuer.example', 'client', 'sealed', '${at}', '${at}' from sessions`,
    );
    await transaction.execute(
      `insert into log_chains (organization_id, log, sequence, hash, anchor_sequence, anchor_hash)
       select id, 'audit', 0, '0', 0, '0' from organizations limit 1`,
    );
    await transaction.execute(
      `insert into dashboard_queue (id, dashboard_id) values ('queued', '${dashboardId}')`,
    );
  });
}
