import { sql, type ExpressionBuilder } from 'kysely';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import type { Tables } from '../../storage/tables.ts';
import { queueForIndex } from '../listing/entry-store.ts';

/** Where in the bin a dashboard is: the list goes by when it was deleted, the last first. */
export interface BinPlace {
  readonly at: string;
  readonly id: string;
}

export interface SizedBinPlace extends BinPlace {
  readonly sizeBytes: number;
}

/** A dashboard in the bin, without its widgets. */
export interface BinRow {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string;
  readonly deletedBy: string;
  /** Empty when whoever it was is no more. */
  readonly deletedByName: string;
}

interface OfOrganization {
  organizationId: string;
  userId: string;
}

/** What a member might edit before it was deleted. */
const inBinOfOrganization = (db: Sql, p: OfOrganization) =>
  db
    .selectFrom('dashboards')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'dashboards.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .leftJoin('dashboard_shares', (join) =>
      join
        .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
        .on('dashboard_shares.user_id', '=', p.userId),
    )
    .where('dashboards.organization_id', '=', p.organizationId)
    .where('dashboards.deleted_at', 'is not', null)
    .where((where) => isEditedByMember(where, p.userId));

/** As `accessOf` tells, in words of the database. */
const isEditedByMember = (
  where: ExpressionBuilder<Tables, 'dashboards' | 'members' | 'dashboard_shares'>,
  userId: string,
) =>
  where.or([
    where('members.role', 'in', ['owner', 'admin']),
    where('dashboard_shares.access', '=', 'edit'),
    where.and([
      where('members.role', '=', 'editor'),
      where.or([where('dashboards.restricted', '=', 0), where('dashboards.user_id', '=', userId)]),
    ]),
  ]);

const inBinOfUser = (db: Sql, p: { userId: string }) =>
  db
    .selectFrom('dashboards')
    .where('dashboards.user_id', '=', p.userId)
    .where('dashboards.organization_id', 'is', null)
    .where('dashboards.deleted_at', 'is not', null);

const placeColumns = [
  'dashboards.id',
  'dashboards.deleted_at as at',
  sql<number>`octet_length(dashboards.name) + coalesce(octet_length(dashboards.description), 0)`.as(
    'sizeBytes',
  ),
] as const;

const isBefore = (place: BinPlace) =>
  sql<boolean>`(dashboards.deleted_at, dashboards.id) < (${place.at}, ${place.id})`;

const placesOfOrganization = prepare((db, p: OfOrganization & BinPlace & { limit: number }) =>
  inBinOfOrganization(db, p)
    .select(placeColumns)
    .where(isBefore(p))
    .orderBy('dashboards.deleted_at', 'desc')
    .orderBy('dashboards.id', 'desc')
    .limit(p.limit),
);

const placesOfUser = prepare((db, p: { userId: string; limit: number } & BinPlace) =>
  inBinOfUser(db, p)
    .select(placeColumns)
    .where(isBefore(p))
    .orderBy('dashboards.deleted_at', 'desc')
    .orderBy('dashboards.id', 'desc')
    .limit(p.limit),
);

interface Range {
  firstAt: string;
  firstId: string;
  lastAt: string;
  lastId: string;
}

const isWithin = (p: Range) =>
  sql<boolean>`(dashboards.deleted_at, dashboards.id) between (${p.lastAt}, ${p.lastId}) and (${p.firstAt}, ${p.firstId})`;

const columns = [
  'dashboards.id',
  'dashboards.user_id as userId',
  'dashboards.organization_id as organizationId',
  'dashboards.name',
  'dashboards.description',
  'dashboards.created_at as createdAt',
  'dashboards.updated_at as updatedAt',
  'dashboards.deleted_at as deletedAt',
  'dashboards.deleted_by as deletedBy',
  'users.name as deletedByName',
] as const;

const rowsOfOrganization = prepare((db, p: OfOrganization & Range) =>
  inBinOfOrganization(db, p)
    .leftJoin('users', 'users.id', 'dashboards.deleted_by')
    .select(columns)
    .where(isWithin(p)),
);

const rowsOfUser = prepare((db, p: { userId: string } & Range) =>
  inBinOfUser(db, p)
    .leftJoin('users', 'users.id', 'dashboards.deleted_by')
    .select(columns)
    .where(isWithin(p)),
);

const restore = prepare((db, p: { id: string }) =>
  db.updateTable('dashboards').set({ deleted_at: null, deleted_by: null }).where('id', '=', p.id),
);

const remove = prepare((db, p: { id: string }) => db.deleteFrom('dashboards').where('id', '=', p.id));

/** What another replica purges at the same time is left to it. */
const old = prepare((db, p: { before: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'name', 'organization_id as organizationId'])
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(p.limit)
    .forUpdate()
    .skipLocked(),
);

/** Which bins a list shows to whom. */
export interface BinScope {
  readonly readerId: string;
  /** Whether the reader's own dashboards, of no organization, belong to it. */
  readonly opensOwn: boolean;
  readonly organizationIds: readonly string[];
}

/** Returns up to `limit` places behind `after` in the bins of a scope, the last deleted first. */
export async function selectBinPlaces(
  reader: Reader,
  { readerId: userId, opensOwn, organizationIds }: BinScope,
  position: { after: BinPlace | undefined; limit: number },
): Promise<SizedBinPlace[]> {
  const { limit, after = { at: '~', id: '~' } } = position;
  const rows = opensOwn ? await reader.all(placesOfUser, { userId, limit, ...after }) : [];
  for (const organizationId of organizationIds) {
    rows.push(...(await reader.all(placesOfOrganization, { organizationId, userId, limit, ...after })));
  }
  return rows
    .map(({ id, at, sizeBytes }) => ({ id, at: at ?? '', sizeBytes }))
    .toSorted(lastDeletedFirst)
    .slice(0, limit);
}

/** Returns what is in the bins of a scope from one place to another, both included, the last deleted first. */
export async function selectBinRows(
  reader: Reader,
  { readerId: userId, opensOwn, organizationIds }: BinScope,
  { first, last }: { first: BinPlace; last: BinPlace },
): Promise<BinRow[]> {
  const range = { firstAt: first.at, firstId: first.id, lastAt: last.at, lastId: last.id };
  const rows = opensOwn ? await reader.all(rowsOfUser, { userId, ...range }) : [];
  for (const organizationId of organizationIds) {
    rows.push(...(await reader.all(rowsOfOrganization, { organizationId, userId, ...range })));
  }
  return rows
    .map(({ deletedAt, deletedBy, deletedByName, ...row }) => ({
      ...row,
      deletedAt: deletedAt ?? '',
      deletedBy: deletedBy ?? '',
      deletedByName: deletedByName ?? '',
    }))
    .toSorted((one, other) =>
      lastDeletedFirst({ at: one.deletedAt, id: one.id }, { at: other.deletedAt, id: other.id }),
    );
}

const lastDeletedFirst = (one: BinPlace, other: BinPlace): number =>
  one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1;

export async function restoreDashboardRow(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(restore, { id });
  await queueForIndex(transaction, id);
}

/** Removes a dashboard; its versions and whom it is shared with go with it. */
export const deleteDashboardRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

export interface OldDashboard {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string | undefined;
}

/** Returns up to `limit` dashboards that were deleted before a time, the first deleted first. */
export async function lockOldDashboards(
  transaction: Transaction,
  range: { before: string; limit: number },
): Promise<OldDashboard[]> {
  const rows = await transaction.all(old, range);
  return rows.map(({ organizationId, ...row }) => ({ ...row, organizationId: organizationId ?? undefined }));
}
