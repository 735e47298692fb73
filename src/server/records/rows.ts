import type { Expression, SqlBool } from 'kysely';
import type { VersionChange } from '#contract/records/history.ts';
import type { Role, ShareLevel } from '#shared/permissions.ts';
import { accessColumns, mayOnRecord, mayOnRecordOfMember } from '../access/filter.ts';
import { tenantOf } from '../base/tenant.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import type { NewPlace, Place, Readable, StoredRecord } from './record.ts';

/** What distinguishes the rows of a kind of record, whose columns besides those of every record are `Own`. */
export interface RowDefinition<Stored extends StoredRecord, Own extends Readonly<Record<string, unknown>>> {
  readonly name: 'dashboard' | 'report';
  readonly ownColumns: readonly (keyof Own & string)[];
  toOwn(stored: Stored): Own;
  fromOwn(record: StoredRecord, own: Own): Stored;
}

/** The queries of a kind of record by its access. */
export interface RecordRows<Stored extends StoredRecord> {
  /** Stores a new record in its folder, restricted from the first moment if it is to be. */
  insert(transaction: Transaction, stored: Stored, place?: NewPlace): Promise<unknown>;
  /** Replaces the stored version with a new one. The owner stays. */
  update(transaction: Transaction, stored: Stored): Promise<unknown>;
  /** Returns a record that a user may see, or undefined. */
  findReadable(
    reader: Reader,
    input: { readonly id: string; readonly userId: string; readonly place?: Place },
  ): Promise<Readable<Stored> | undefined>;
  /** Returns a record of an organization, even if the user may not see it, with the user's share; or undefined. */
  findInOrganization(
    reader: Reader,
    input: {
      readonly organizationId: string;
      readonly id: string;
      readonly userId?: string;
      readonly place?: Place;
    },
  ): Promise<Readable<Stored> | undefined>;
  /** Locks a record that a user may see, in use or in the trash, and returns whether it exists. */
  lockVisible(
    transaction: Transaction,
    key: { readonly id: string; readonly userId: string },
  ): Promise<boolean>;
  /** Returns the condition that a member may edit a record of the organization. */
  mayEdit(userId: string): Expression<SqlBool>;
}

/** The columns of every record. */
interface Row {
  id: string;
  userId: string;
  organizationId: string | null;
  name: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  updatedBy: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
}

/** The columns that decide what a user may do with a record. */
interface AccessRow {
  role: string | null;
  share: string | null;
  restricted: number;
  hidden: number | null;
  folderId: string | null;
  requireSso: number | null;
}

/** Returns the queries of a kind of record. */
export function recordRows<Stored extends StoredRecord, Own extends Readonly<Record<string, unknown>>>(
  definition: RowDefinition<Stored, Own>,
): RecordRows<Stored> {
  const { name, ownColumns } = definition;
  // Sound because both tables have the columns that this file uses.
  const table = `${name}s` as 'dashboards';
  const column = <Name extends keyof Tables['dashboards']>(of: Name) => `${table}.${of}` as const;

  const storedColumns = [
    column('id'),
    `${column('user_id')} as userId`,
    `${column('organization_id')} as organizationId`,
    column('name'),
    `${column('created_at')} as createdAt`,
    `${column('updated_at')} as updatedAt`,
    column('version'),
    `${column('updated_by')} as updatedBy`,
    column('change'),
    `${column('restored_from')} as restoredFrom`,
    `${column('save_hash')} as saveHash`,
    // Sound because these are the other columns of the table.
    ...ownColumns.map((own) => column(own as 'widgets')),
  ] as const;

  const ownValues = (p: Own): object => Object.fromEntries(ownColumns.map((own) => [own, p[own]]));

  /** Returns the values of the columns that a version changes. */
  const changing = (p: Row & Own) => ({
    name: p.name,
    version: p.version,
    updated_at: p.updatedAt,
    updated_by: p.updatedBy,
    change: p.change,
    // Sound because these are the other columns of the table.
    ...(ownValues(p) as { widgets: string }),
  });

  const insert = prepare((db, p: Row & Own & { folderId: string | null; restricted: number }) =>
    db.insertInto(table).values({
      id: p.id,
      user_id: p.userId,
      organization_id: p.organizationId,
      created_at: p.createdAt,
      folder_id: p.folderId,
      restricted: p.restricted,
      ...changing(p),
    }),
  );

  /** Leaves out the owner, since SQLite rewrites the index of every column that is set, even if it doesn't change. */
  const update = prepare((db, p: Row & Own) =>
    db
      .updateTable(table)
      .set({ ...changing(p), restored_from: p.restoredFrom, save_hash: p.saveHash })
      .where('id', '=', p.id),
  );

  /** Selects a record if the user may see it, in use or in the trash. */
  const selectVisible = (db: Sql, p: { id: string; userId: string }) =>
    db
      .selectFrom(table)
      .leftJoin('members', (join) =>
        join
          .onRef('members.organization_id', '=', column('organization_id'))
          .on('members.user_id', '=', p.userId),
      )
      .leftJoin('organizations', 'organizations.id', 'members.organization_id')
      .where(column('id'), '=', p.id)
      .where(mayOnRecord(name, `${name}.view`, p.userId));

  /** Records that the user may not see aren't read at all, since the time of reading them would reveal that they exist. */
  const readable = prepare((db, p: { id: string; userId: string; isDeleted: true | undefined }) =>
    selectVisible(db, p)
      .select([
        ...storedColumns,
        ...accessColumns(name, p.userId),
        `${column('folder_id')} as folderId`,
        'members.role',
        'organizations.require_sso as requireSso',
      ])
      .where(column('deleted_at'), p.isDeleted === undefined ? 'is' : 'is not', null),
  );

  const inOrganization = prepare(
    (db, p: { organizationId: string; id: string; userId: string; isDeleted: true | undefined }) =>
      db
        .selectFrom(table)
        .select([...storedColumns, ...accessColumns(name, p.userId), `${column('folder_id')} as folderId`])
        .where('id', '=', p.id)
        .where('organization_id', '=', p.organizationId)
        .where('deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
  );

  /** On PostgreSQL, others who want to change the record wait, but never for a user who may not see it. */
  const lockVisible = prepare((db, p: { id: string; userId: string }) =>
    selectVisible(db, p).select(column('id')).forUpdate(table),
  );

  const toRow = (stored: Stored): Row & Own => ({
    id: stored.id,
    userId: stored.userId,
    organizationId: stored.organizationId ?? null,
    name: stored.name,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    version: stored.version,
    updatedBy: stored.updatedBy,
    change: stored.change,
    restoredFrom: stored.restoredFrom ?? null,
    saveHash: stored.saveHash ?? null,
    ...definition.toOwn(stored),
  });

  function toReadable(row: Row & AccessRow): Readable<Stored> {
    const record: StoredRecord = {
      id: row.id,
      userId: row.userId,
      organizationId: row.organizationId ?? undefined,
      name: row.name,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      version: row.version,
      updatedBy: row.updatedBy,
      // Sound because the columns hold only what the contract names.
      change: row.change as VersionChange,
      restoredFrom: row.restoredFrom ?? undefined,
      saveHash: row.saveHash ?? undefined,
    };
    return {
      // Sound because the row has the columns that only this kind has.
      ...definition.fromOwn(record, row as unknown as Own),
      role: (row.role ?? undefined) as Role | undefined,
      share: (row.share ?? undefined) as ShareLevel | undefined,
      isRestricted: row.restricted === 1,
      isHidden: row.hidden !== 0,
      folderId: row.folderId ?? undefined,
      requireSso: row.requireSso === 1,
    };
  }

  const isDeleted = (place: Place | undefined): true | undefined =>
    place === 'in the trash' ? true : undefined;

  return {
    async insert(transaction, stored, { folderId = null, isRestricted = false } = {}) {
      const row = toRow(stored);
      await requireRoom(transaction, tenantOf(stored), { records: 1, bytes: bytesOf(row) });
      return transaction.run(insert, { ...row, folderId, restricted: isRestricted ? 1 : 0 });
    },
    async update(transaction, stored) {
      const row = toRow(stored);
      // The version that it replaces stays, too.
      await requireRoom(transaction, tenantOf(stored), { records: 0, bytes: bytesOf(row) });
      return transaction.run(update, row);
    },
    async findReadable(reader, { id, userId, place }) {
      const row = await reader.first(readable, { id, userId, isDeleted: isDeleted(place) });
      return row && toReadable(row);
    },
    async findInOrganization(reader, { organizationId, id, userId = '', place }) {
      const key = { organizationId, id, userId, isDeleted: isDeleted(place) };
      const row = await reader.first(inOrganization, key);
      return row && toReadable({ ...row, role: null, requireSso: null });
    },
    lockVisible: async (transaction, key) => (await transaction.first(lockVisible, key)) !== undefined,
    mayEdit: (userId) => mayOnRecordOfMember(name, `${name}.edit`, userId),
  };
}

/** Returns the size of the texts of a row. */
function bytesOf(row: object): number {
  let bytes = 0;
  for (const value of Object.values(row) as unknown[])
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
  return bytes;
}
