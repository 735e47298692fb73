import { join } from 'node:path';
import { StartError } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { findInstanceId } from '../../storage/instance.ts';
import { migrate, readSchemaVersion } from '../../storage/migrations/migrations.ts';
import { findUnfinishedRestore, markDatabaseFinished } from '../../storage/unfinished-restore.ts';
import { insertRows, listTables } from '../dump/rows.ts';
import type { Manifest } from '../manifest.ts';
import { dumpFile } from '../snapshot.ts';
import { changesOfRestore } from './changes.ts';
import type { OnStep } from './steps.ts';

/** Throws a `StartError` if a database has anything that restoring a backup would change. */
export async function requireRestorable(
  database: Database,
  directory: string,
  { database: format, instanceId }: Manifest,
): Promise<void> {
  if (format === 'dump') {
    if ((await findInstanceId(database)) === instanceId) return;
    throw new StartError(
      `The database of the backup is in ${join(directory, dumpFile)}. Restore it into the database of DATABASE_URL with the ` +
        'program that belongs to your dump command, such as `pg_restore --no-owner --dbname NAME`. Then run this ' +
        'command again, which restores the rest.',
    );
  }
  if ((await readSchemaVersion(database)) === 0) return;
  // A restore that was interrupted has created the schema.
  if ((await findUnfinishedRestore(database)) !== undefined) return;
  throw new StartError(
    'DATABASE_URL: the database is not empty, and restoring never overwrites anything. Set DATABASE_URL to a new database.',
  );
}

/** Restores the rows of a backup, and removes the mark of the database in the same transaction. */
export async function restorePostgres(
  database: Database,
  directory: string,
  manifest: Manifest,
  { instanceId, onStep }: { readonly instanceId: string; readonly onStep: OnStep },
): Promise<void> {
  const { database: format, schemaVersion, rowCounts } = manifest;
  if (format === 'rows') await migrate(database, { toVersion: schemaVersion });
  await requireVersion(database, schemaVersion);
  await onStep('schema created');
  await database.writeSlowly(async (transaction) => {
    if (format === 'rows') await insertRows(transaction, directory, rowCounts);
    const tables = new Set(await listTables(transaction));
    for (const statement of changesOfRestore(manifest, { tables, instanceId }))
      await transaction.execute(statement);
    await markDatabaseFinished(transaction);
    await onStep('rows changed');
  });
}

/** Another backup may have been restored halfway, or a server have started while the database was empty. */
async function requireVersion(database: Database, schemaVersion: number): Promise<void> {
  const found = await readSchemaVersion(database);
  if (found === schemaVersion) return;
  throw new StartError(
    `DATABASE_URL: the schema of the database has version ${found}, and that of the backup ${schemaVersion}. ` +
      'Set DATABASE_URL to a new database.',
  );
}
