import type { Manifest } from '../manifest.ts';

/**
 * What must not come back: sessions, links and attempts that may have been ended or used since the backup, and files that were
 * not in it. Children come before their parents.
 */
const transientTables = [
  'sso_id_tokens',
  'sso_attempts',
  'sessions',
  'pending_sign_ins',
  'passkey_challenges',
  'password_resets',
  'dashboard_editors',
  'dashboard_streams',
  // A link that was revoked after the backup must not work again.
  'display_links',
  // What was pending may have been delivered since the backup.
  'webhook_deliveries',
  'uploads',
  'file_leases',
  'limited_attempts',
  'jobs',
];

/**
 * Returns the statements that make a copy of a database a server of its own. They run in one transaction, the last one of a
 * restore, on either engine.
 */
export const changesOfRestore = (rowCounts: Manifest['rowCounts'], instanceId: string): string[] => [
  ...transientTables.filter((table) => table in rowCounts).map((table) => `delete from ${table}`),
  `update instance set id = '${instanceId}' where key = 1`,
];
