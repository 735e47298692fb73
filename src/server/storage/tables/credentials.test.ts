import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlace } from '../../../../tests/support/server/test-server.ts';
import { databaseFile } from '../data-directory.ts';
import { openDatabase } from '../open-database.ts';
import { connect } from '../sqlite/connection.ts';
import { tableNames } from './belonging.ts';
import { credentials } from './credentials.ts';

/** Columns whose names look like credentials, but with which nobody gets access. */
const others = [
  'audit_entries.hash',
  'audit_entries.details_hash',
  'access_entries.token_id',
  'access_entries.hash',
  'log_chains.hash',
  'log_chains.anchor_hash',
  'dashboard_images.hash',
  'dashboard_entries.key',
  'dashboard_entries.words_hash',
  'dashboard_versions.save_hash',
  'dashboards.save_hash',
  'report_versions.save_hash',
  'reports.save_hash',
  'image_uploaders.hash',
  'images.hash',
  'scim_groups.display_key',
  'sso_policies.secret_expires_at',
  'sso_policies.secret_noticed',
  'organizations.personal_tokens',
  'organizations.max_token_days',
  'limited_attempts.key',
  'instance.key',
];

test('every table with a column that looks like a credential says what a restore does with it', async (t) => {
  const place = await createTestPlace('SQLite');
  await (await openDatabase(place)).close();
  const { database, query } = connect(databaseFile(place.dataDirectory));
  t.after(() => database.close());
  const unclassified: string[] = [];
  for (const table of tableNames) {
    if (credentials[table] !== 'nothing to do') continue;
    for (const row of query(`select name from pragma_table_info('${table}')`).all()) {
      const { name } = row as { name: string };
      if (/(^|_)(hash|secret|password|token|code|key|seed|nonce|verifier)s?($|_)/.test(name))
        unclassified.push(`${table}.${name}`);
    }
  }
  assert.deepEqual(unclassified, others);
});
