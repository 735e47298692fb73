import { sql, type Expression, type SqlBool } from 'kysely';
import { mayOnRecordOfMember } from '../access/filter.ts';
import { endSharing } from '../access/sharing.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

type ItemTable = 'dashboards' | 'reports';

/** Returns queries for the dashboards and the reports in folders. Sound because both tables have the columns that they use. */
const ofEach = <Query>(make: (table: 'dashboards', kind: 'dashboard' | 'report') => Query) => ({
  dashboard: make('dashboards', 'dashboard'),
  report: make('reports' as ItemTable as 'dashboards', 'report'),
});

/** The folders in a folder, with itself. */
const within = (db: Sql, id: string) =>
  db.selectFrom('folder_paths').select('folder_id').where('ancestor_id', '=', id);

const notEditable = ofEach((table, kind) =>
  prepare((db, p: { id: string; userId: string }) =>
    db
      .selectFrom(table)
      .select(`${table}.id`)
      .where(`${table}.folder_id`, 'in', within(db, p.id))
      .where(`${table}.deleted_at`, 'is', null)
      .where(not(mayOnRecordOfMember(kind, `${kind}.edit`, p.userId)))
      .limit(1),
  ),
);

const notEditableFolder = prepare((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('folders')
    .select('folders.id')
    .where('folders.id', 'in', within(db, p.id))
    .where('folders.deleted_at', 'is', null)
    .where(not(mayOnRecordOfMember('folder', 'folder.edit', p.userId)))
    .limit(1),
);

/** A condition that is unknown counts as false. */
const not = (condition: Expression<SqlBool>) => sql<boolean>`not coalesce(${condition}, false)`;

/** Returns whether a folder has something in use that a member may not edit. */
export async function hasOthersItems(
  reader: Reader,
  key: { readonly id: string; readonly userId: string },
): Promise<boolean> {
  const found =
    (await reader.first(notEditableFolder, key)) ??
    (await reader.first(notEditable.dashboard, key)) ??
    (await reader.first(notEditable.report, key));
  return found !== undefined;
}

const inUse = ofEach((table) =>
  prepare((db, p: { id: string }) =>
    db
      .selectFrom(table)
      .select('id')
      .where('folder_id', 'in', within(db, p.id))
      .where('deleted_at', 'is', null),
  ),
);

const deletedWith = ofEach((table) =>
  prepare((db, p: { id: string }) => db.selectFrom(table).select('id').where('deleted_with', '=', p.id)),
);

/** Returns the IDs of the dashboards or the reports in a folder that are in use or, with `isDeleted`, were deleted with it. */
export const selectItems = async (
  reader: Reader,
  kind: 'dashboard' | 'report',
  { id, isDeleted }: { readonly id: string; readonly isDeleted: boolean },
): Promise<string[]> =>
  (await reader.all((isDeleted ? deletedWith : inUse)[kind], { id })).map((row) => row.id);

interface Deletion {
  readonly id: string;
  readonly at: string;
  readonly userId: string;
}

const deleteItems = ofEach((table) =>
  prepare((db, p: Deletion) =>
    db
      .updateTable(table)
      .set({ deleted_at: p.at, deleted_by: p.userId, deleted_with: p.id })
      .where('folder_id', 'in', within(db, p.id))
      .where('deleted_at', 'is', null),
  ),
);

const deleteFolders = prepare((db, p: Deletion) =>
  db
    .updateTable('folders')
    .set({ deleted_at: p.at, deleted_by: p.userId, deleted_with: p.id, personal_user_id: null })
    .where('id', 'in', within(db, p.id))
    .where('deleted_at', 'is', null),
);

/** Moves a folder to the trash, with the folders, dashboards and reports in it. */
export async function deleteFolderRows(transaction: Transaction, deletion: Deletion): Promise<void> {
  await transaction.run(deleteItems.dashboard, deletion);
  await transaction.run(deleteItems.report, deletion);
  await transaction.run(deleteFolders, deletion);
}

const restoreFolders = prepare((db, p: { id: string }) =>
  db
    .updateTable('folders')
    .set({ deleted_at: null, deleted_by: null, deleted_with: null })
    .where('deleted_with', '=', p.id),
);

const restrict = prepare((db, p: { id: string }) =>
  db.updateTable('folders').set({ restricted: 1 }).where('id', '=', p.id),
);

/** Restores a folder with the folders that were moved to the trash with it. */
export const restoreFolderRows = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(restoreFolders, { id });

export const restrictFolder = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(restrict, { id });

const inUseById = prepare((db, p: { id: string }) =>
  db.selectFrom('folders').select('id').where('id', '=', p.id).where('deleted_at', 'is', null),
);

/** Returns whether a folder exists and isn't in the trash, whoever may see it. */
export const isFolderInUse = async (reader: Reader, id: string): Promise<boolean> =>
  (await reader.first(inUseById, { id })) !== undefined;

const old = prepare((db, p: { before: string; limit: number }) =>
  db
    .selectFrom('folders')
    .select(['id', 'name', 'organization_id as organizationId'])
    .whereRef('deleted_with', '=', 'id')
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(p.limit)
    .forUpdate()
    .skipLocked(),
);

/** Locks and returns up to `limit` folders that were moved to the trash before a time, each without the folders in it. */
export const lockOldFolders = (
  transaction: Transaction,
  range: { readonly before: string; readonly limit: number },
): Promise<{ id: string; name: string; organizationId: string }[]> => transaction.all(old, range);

const foldersDeletedWith = prepare((db, p: { id: string }) =>
  db.selectFrom('folders').select('id').where('deleted_with', '=', p.id),
);

const removePaths = prepare((db, p: { id: string }) =>
  db.deleteFrom('folder_paths').where('ancestor_id', '=', p.id),
);

const removeFolder = prepare((db, p: { id: string }) => db.deleteFrom('folders').where('id', '=', p.id));

/** What is in the trash stays there without its folder, and as restricted as it was in it. */
const releaseItems = ofEach((table) =>
  prepare((db, p: { id: string }) =>
    db
      .updateTable(table)
      .set({
        folder_id: null,
        deleted_with: null,
        restricted: sql<number>`case when restricted = 1 then 1 else ${db
          .selectFrom('folders')
          .select('restricted_path')
          .where('folders.id', '=', p.id)} end`,
      })
      .where('folder_id', '=', p.id),
  ),
);

/** Deletes a folder permanently, with the folders that were moved to the trash with it, and their shares. */
export async function purgeFolderRows(transaction: Transaction, id: string): Promise<void> {
  for (const folder of await transaction.all(foldersDeletedWith, { id })) {
    await transaction.run(releaseItems.dashboard, folder);
    await transaction.run(releaseItems.report, folder);
    await endSharing(transaction, folder.id);
    await transaction.run(removePaths, folder);
    await transaction.run(removeFolder, folder);
  }
}

const outermost = prepare((db, p: { id: string }) =>
  db.selectFrom('folders').select('deleted_with as deletedWith').where('id', '=', p.id),
);

/** Returns the folder that a folder was moved to the trash with, which may be itself. */
export const findDeletedWith = async (reader: Reader, id: string): Promise<string | undefined> =>
  (await reader.first(outermost, { id }))?.deletedWith ?? undefined;
