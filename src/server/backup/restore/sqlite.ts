import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../storage/data-directory.ts';
import { syncPath } from '../../storage/file-facts.ts';
import { copyWhole } from '../copy-file.ts';
import type { Manifest } from '../manifest.ts';
import { countSqliteRows } from '../snapshot.ts';
import { changesOfRestore } from './changes.ts';
import type { OnStep } from './steps.ts';

/** Copies the database of a backup into a data directory. It gets its name last, when it is complete. */
export async function restoreSqlite(
  directory: string,
  dataDirectory: string,
  manifest: Manifest,
  { instanceId, onStep }: { readonly instanceId: string; readonly onStep: OnStep },
): Promise<void> {
  const file = databaseFile(dataDirectory);
  const draft = `${file}.restoring`;
  await copyWhole(databaseFile(directory), draft);
  await onStep('database copied');
  const database = new DatabaseSync(draft, { enableForeignKeyConstraints: true });
  try {
    database.exec('begin');
    for (const statement of dropsOfTriggers(database)) database.exec(statement);
    const tables = new Set(Object.keys(countSqliteRows(database)));
    for (const statement of changesOfRestore(manifest, { tables, instanceId })) database.exec(statement);
    await onStep('rows changed');
    database.exec('commit');
  } finally {
    database.close();
  }
  await syncPath(draft);
  await rename(draft, file);
  await syncPath(dirname(file));
}

/** Atrium has no triggers. One in the file of a backup would run now, and at each write of the server. */
const dropsOfTriggers = (database: DatabaseSync): string[] =>
  database
    .prepare("select name from sqlite_schema where type = 'trigger'")
    .all()
    .map(({ name }) => `drop trigger "${String(name).replaceAll('"', '""')}"`);
