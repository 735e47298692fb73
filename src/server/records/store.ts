import { sql } from 'kysely';
import { endSharing } from '../access/sharing.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** The tables of records; both have the columns that this file uses. */
export type RecordTableName = 'dashboards' | 'reports';

/** What the audit log and the widgets still show of a record that was deleted permanently. */
export interface PurgedRecord {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string | undefined;
}

export interface RecordStore {
  /** Moves a record to the trash, or restores it without a deletion: outside of folders if its folder isn't in use. */
  setDeleted(
    transaction: Transaction,
    id: string,
    deletion: { readonly at: string; readonly userId: string } | undefined,
  ): Promise<number>;
  /** Moves a record to a folder, or out of all. */
  setFolder(transaction: Transaction, place: { id: string; folderId: string | null }): Promise<number>;
  setOwner(transaction: Transaction, ownership: { id: string; userId: string }): Promise<number>;
  /** Deletes a record with everything that belongs to it, such as its versions and shares. */
  delete(transaction: Transaction, id: string): Promise<number>;
  /** Locks and returns up to `limit` records that were deleted before a time, skipping those that another replica has locked. */
  lockOld(transaction: Transaction, range: { before: string; limit: number }): Promise<PurgedRecord[]>;
  /**
   * Returns the record of an organization that has the ID of a document, or that an import created from it, and whether it is
   * in the trash; or undefined. On PostgreSQL, others who want to change the record wait.
   */
  lockMatching(
    transaction: Transaction,
    match: { organizationId: string; documentId: string },
  ): Promise<{ id: string; isDeleted: boolean } | undefined>;
  /** Stores the ID of the document that an import created a record from. */
  setOrigin(transaction: Transaction, origin: { id: string; originId: string }): Promise<number>;
}

/** Returns the queries that every kind of record has, except those of its versions and of the list of its trash. */
export function recordStore(name: RecordTableName): RecordStore {
  // Sound because both tables have these columns.
  const table = name as 'dashboards';

  const setDeleted = prepare((db, p: { id: string; at: string; userId: string }) =>
    db.updateTable(table).set({ deleted_at: p.at, deleted_by: p.userId }).where('id', '=', p.id),
  );

  /** What was in a restricted folder that no longer exists, or is in the trash, stays restricted outside of it. */
  const restore = prepare((db, p: { id: string }) => {
    const folderId = sql.ref<string | null>(`${table}.folder_id`);
    const folder = db.selectFrom('folders').where('folders.id', '=', folderId);
    const inUse = folder.select('folders.id').where('folders.deleted_at', 'is', null);
    const hidden = folder.select('folders.restricted_path');
    const isPlaced = sql`(${folderId} is null or exists ${inUse})`;
    return db
      .updateTable(table)
      .set({
        restricted: sql<number>`case when restricted = 1 or ${isPlaced} then restricted else coalesce(${hidden}, 1) end`,
        folder_id: sql<string | null>`case when ${isPlaced} then ${folderId} end`,
        deleted_at: null,
        deleted_by: null,
        deleted_with: null,
      })
      .where('id', '=', p.id);
  });

  const setFolder = prepare((db, p: { id: string; folderId: string | null }) =>
    db.updateTable(table).set({ folder_id: p.folderId }).where('id', '=', p.id),
  );

  const setOwner = prepare((db, p: { id: string; userId: string }) =>
    db.updateTable(table).set({ user_id: p.userId }).where('id', '=', p.id),
  );

  const remove = prepare((db, p: { id: string }) => db.deleteFrom(table).where('id', '=', p.id));

  const old = prepare((db, p: { before: string; limit: number }) =>
    db
      .selectFrom(table)
      .select(['id', 'name', 'organization_id as organizationId'])
      .where('deleted_at', '<', p.before)
      .orderBy('deleted_at')
      .limit(p.limit)
      .forUpdate()
      .skipLocked(),
  );

  const matchBy = (column: 'id' | 'origin_id') =>
    prepare((db, p: { organizationId: string; documentId: string }) =>
      db
        .selectFrom(table)
        .select(['id', 'deleted_at as deletedAt'])
        .where('organization_id', '=', p.organizationId)
        .where(column, '=', p.documentId)
        .forUpdate(),
    );
  const [matchById, matchByOrigin] = [matchBy('id'), matchBy('origin_id')] as const;

  const setOrigin = prepare((db, p: { id: string; originId: string }) =>
    db.updateTable(table).set({ origin_id: p.originId }).where('id', '=', p.id),
  );

  return {
    setDeleted: (transaction, id, deletion) =>
      deletion === undefined
        ? transaction.run(restore, { id })
        : transaction.run(setDeleted, { id, ...deletion }),
    setFolder: (transaction, place) => transaction.run(setFolder, place),
    setOwner: (transaction, ownership) => transaction.run(setOwner, ownership),
    async delete(transaction, id) {
      await endSharing(transaction, id);
      return transaction.run(remove, { id });
    },
    async lockOld(transaction, range) {
      const rows = await transaction.all(old, range);
      return rows.map(({ organizationId, ...row }) => ({
        ...row,
        organizationId: organizationId ?? undefined,
      }));
    },
    async lockMatching(transaction, match) {
      const row =
        (await transaction.first(matchById, match)) ?? (await transaction.first(matchByOrigin, match));
      return row && { id: row.id, isDeleted: row.deletedAt !== null };
    },
    setOrigin: (transaction, origin) => transaction.run(setOrigin, origin),
  };
}
