import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import type { ShareLevel } from '#shared/permissions.ts';
import { accessColumns, mayOnRecord, mayOnRecordOfMember } from '../access/filter.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

/** The connection to a server without its password, as returned by `readConnection` of its kind. */
export type StoredConnection = object;

/** A data source as it is stored. */
export interface StoredDataSource {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly kind: DataSourceKind;
  readonly connection: StoredConnection | undefined;
  /** Encrypted; undefined if there is none. */
  readonly password: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A data source, with what decides what the member who reads it may do with it. */
export interface ReadableDataSource extends StoredDataSource {
  /** Undefined if it was created before owners were stored. */
  readonly ownerId: string | undefined;
  readonly isRestricted: boolean;
  /** The same, since data sources are in no folder. */
  readonly isHidden: boolean;
  readonly role: Role;
  readonly share: ShareLevel | undefined;
  readonly requireSso: boolean;
}

/** Sorts after every id, since ids are hexadecimal. */
export const afterEveryId = 'g';

export interface SourceRow {
  id: string;
  organizationId: string;
  name: string;
  kind: string;
  connection: string | null;
  password: string | null;
  createdAt: string;
  updatedAt: string;
}

const insert = prepare((db, p: SourceRow & { ownerId: string }) =>
  db.insertInto('data_sources').values({
    id: p.id,
    user_id: p.ownerId,
    organization_id: p.organizationId,
    name: p.name,
    kind: p.kind,
    connection: p.connection,
    password: p.password,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
  }),
);

export async function insertDataSource(
  transaction: Transaction,
  stored: StoredDataSource,
  ownerId: string,
): Promise<number> {
  const row = toRow(stored);
  await requireRoomFor(transaction, row, 1);
  return transaction.run(insert, { ...row, ownerId });
}

function requireRoomFor(
  transaction: Transaction,
  { organizationId, name, connection }: SourceRow,
  records: number,
): Promise<void> {
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(connection ?? '');
  return requireRoom(transaction, { kind: 'organization', organizationId }, { records, bytes });
}

const update = prepare((db, p: SourceRow) =>
  db
    .updateTable('data_sources')
    .set({ name: p.name, connection: p.connection, password: p.password, updated_at: p.updatedAt })
    .where('id', '=', p.id),
);

/** Stores the name, the connection and the password. */
export async function updateDataSource(transaction: Transaction, stored: StoredDataSource): Promise<number> {
  const row = toRow(stored);
  await requireRoomFor(transaction, row, 0);
  return transaction.run(update, row);
}

export const sourceColumns = [
  'data_sources.id',
  'data_sources.organization_id as organizationId',
  'data_sources.name',
  'data_sources.kind',
  'data_sources.connection',
  'data_sources.password',
  'data_sources.created_at as createdAt',
  'data_sources.updated_at as updatedAt',
] as const;

/** Where a data source is. */
export type SourcePlace = 'in use' | 'in the trash';

/** Selects a data source if the user may see it. */
const selectVisible = (place: SourcePlace, db: Sql, p: { id: string; userId: string }) =>
  db
    .selectFrom('data_sources')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'data_sources.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('data_sources.id', '=', p.id)
    .where(mayOnRecord('data_source', 'data_source.view', p.userId))
    .where('data_sources.deleted_at', place === 'in use' ? 'is' : 'is not', null);

const prepareFor = <Query>(
  prepared: (place: SourcePlace) => Query,
): Readonly<Record<SourcePlace, Query>> => ({
  'in use': prepared('in use'),
  'in the trash': prepared('in the trash'),
});

/** Doesn't read a data source that the user may not see, since the response time would reveal that it exists. */
const readable = prepareFor((place) =>
  prepare((db, p: { id: string; userId: string }) =>
    selectVisible(place, db, p).select([
      ...sourceColumns,
      ...accessColumns('data_source', p.userId),
      'data_sources.user_id as ownerId',
      'members.role',
      'organizations.require_sso as requireSso',
    ]),
  ),
);

/** Returns a data source that a user may see, or undefined. */
export async function findReadableDataSource(
  reader: Reader,
  id: string,
  userId: string,
  place: SourcePlace = 'in use',
): Promise<ReadableDataSource | undefined> {
  return toReadable(await reader.first(readable[place], { id, userId }));
}

/** Locks the data source on PostgreSQL, but only for users who may see it. */
const lockVisible = prepareFor((place) =>
  prepare((db, p: { id: string; userId: string }) =>
    selectVisible(place, db, p).select('data_sources.id').forUpdate('data_sources'),
  ),
);

/**
 * Like `findReadableDataSource`, but locks the data source, in a transaction that changes it. The role is read by a second
 * query after the row is locked: a query that waited for the lock returns the role from before the wait.
 */
export async function lockReadableDataSource(
  transaction: Transaction,
  id: string,
  userId: string,
  place: SourcePlace = 'in use',
): Promise<ReadableDataSource | undefined> {
  if ((await transaction.first(lockVisible[place], { id, userId })) === undefined) return undefined;
  return findReadableDataSource(transaction, id, userId, place);
}

const page = prepare((db, p: { organizationId: string; userId: string; before: string; limit: number }) =>
  db
    .selectFrom('data_sources')
    .select(sourceColumns)
    .where('organization_id', '=', p.organizationId)
    .where(mayOnRecordOfMember('data_source', 'data_source.view', p.userId))
    .where('deleted_at', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Returns the data sources of an organization that a member may see, newest first. */
export async function selectDataSources(
  reader: Reader,
  scope: { readonly organizationId: string; readonly userId: string },
  { limit, after = afterEveryId }: PageRequest,
): Promise<FirstRows<StoredDataSource>> {
  return mapRows(await reader.page(page, { ...scope, before: after, limit }), toStored);
}

/** Includes the trash, like all queries for the passwords. */
const withPassword = prepare((db, p: { after: string; limit: number }) =>
  db
    .selectFrom('data_sources')
    .select('id')
    .where('password', 'is not', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Returns the ids of the next data sources with a password after `after`, in all organizations, at most `limit`. */
export async function selectIdsWithPassword(reader: Reader, after: string, limit: number): Promise<string[]> {
  return (await reader.all(withPassword, { after, limit })).map(({ id }) => id);
}

const toRotate = prepare((db, p: { id: string }) =>
  db.selectFrom('data_sources').select(sourceColumns).where('id', '=', p.id).forUpdate(),
);

/** Returns a data source, which may be in the trash, or undefined, and locks it. Checks no permissions. */
export async function lockDataSource(
  transaction: Transaction,
  id: string,
): Promise<StoredDataSource | undefined> {
  const row = await transaction.first(toRotate, { id });
  return row && toStored(row);
}

const updatePassword = prepare((db, p: { id: string; password: string | null }) =>
  db.updateTable('data_sources').set({ password: p.password }).where('id', '=', p.id),
);

export const updateSealedPassword = (
  transaction: Transaction,
  id: string,
  password: string | undefined,
): Promise<number> => transaction.run(updatePassword, { id, password: password ?? null });

const toRow = (stored: StoredDataSource): SourceRow => ({
  ...stored,
  connection: stored.connection === undefined ? null : JSON.stringify(stored.connection),
  password: stored.password ?? null,
});

export function toStored(row: SourceRow): StoredDataSource {
  const { id, organizationId, name, kind, connection, password, createdAt, updatedAt } = row;
  return {
    id,
    organizationId,
    name,
    // Sound, like the connection, because only this file writes the row.
    kind: kind as DataSourceKind,
    connection: parseConnection(connection),
    password: password ?? undefined,
    createdAt,
    updatedAt,
  };
}

export const parseConnection = (text: string | null): StoredConnection | undefined =>
  text === null ? undefined : (JSON.parse(text) as StoredConnection);

interface ReadableRow extends SourceRow {
  ownerId: string | null;
  restricted: number;
  share: string | null;
  role: string;
  requireSso: number;
}

function toReadable(row: ReadableRow | undefined): ReadableDataSource | undefined {
  if (row === undefined) return undefined;
  return {
    ...toStored(row),
    ownerId: row.ownerId ?? undefined,
    isRestricted: row.restricted === 1,
    isHidden: row.restricted === 1,
    // Sound because the columns hold only what the table of permissions names.
    share: (row.share ?? undefined) as ShareLevel | undefined,
    role: row.role as Role,
    requireSso: row.requireSso === 1,
  };
}
