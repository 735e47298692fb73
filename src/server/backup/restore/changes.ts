import { timestamp } from '../../base/clock.ts';
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
 * restore, on either engine.
 */
export const changesOfRestore = (
  { rowCounts, schemaVersion }: Pick<Manifest, 'rowCounts' | 'schemaVersion'>,
  instanceId: string,
): string[] => [
  ...endCredentials(rowCounts, { schemaVersion, now: timestamp(Date.now()) }),
  ...transientTables.filter((table) => table in rowCounts).map((table) => `delete from ${table}`),
  `update instance set id = '${instanceId}' where key = 1`,
];
