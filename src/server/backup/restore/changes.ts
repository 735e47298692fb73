import type { AuditAction } from '#shared/audit-actions.ts';
import { timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Manifest } from '../manifest.ts';
import { endCredentials } from './credentials.ts';

/** What must not come back, apart from credentials: what was pending, and files that were not in the backup. */
const transientTables = [
  'dashboard_editors',
  'dashboard_streams',
  // What was pending may have been delivered since the backup.
  'webhook_deliveries',
  'uploads',
  'file_leases',
  'limited_attempts',
  'jobs',
];

/**
 * Returns the statements that make a copy of a database a server of its own. They run in one transaction, the last one of a
 * restore, on either engine. `tables` are those of the copy itself: a manifest that leaves one out must not spare it.
 */
export const changesOfRestore = (
  { schemaVersion, createdAt }: Pick<Manifest, 'schemaVersion' | 'createdAt'>,
  { tables, instanceId }: { readonly tables: ReadonlySet<string>; readonly instanceId: string },
): string[] => {
  const now = timestamp(Date.now());
  return [
    ...endCredentials(tables, { schemaVersion, now }),
    ...transientTables.filter((table) => tables.has(table)).map((table) => `delete from ${table}`),
    ...(tables.has('audit_entries') ? [auditOfRestore(createdAt, now)] : []),
    `update instance set id = '${instanceId}' where key = 1`,
  ];
};

/**
 * Records the restore in the audit log of each organization: what happened since the backup is missing there. The ID of an entry has
 * the time of a new one, and ends like the random part of its organization's.
 */
function auditOfRestore(createdAt: string, now: string): string {
  const backupMs = Date.parse(createdAt);
  // The manifest may be a stranger's: what isn't a time is left out.
  const details = JSON.stringify(Number.isNaN(backupMs) ? {} : { backupAt: timestamp(backupMs) });
  const action = 'server.restored' satisfies AuditAction;
  return `insert into audit_entries (id, organization_id, at, action, details)
    select '${newId().slice(0, startOfRandom)}' || substr(id, ${startOfRandom + 1}), id, '${now}', '${action}', '${details}'
    from organizations`;
}

/** Where 62 random bits of a UUIDv7 begin, in its text (RFC 9562, section 5.7). */
const startOfRandom = 18;
