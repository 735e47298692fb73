import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { atPlace, type Place, type Readable, type StoredRecord } from '../records/kind.ts';
import { fromVersionColumns, toVersionColumns, type VersionColumns } from '../records/versions/columns.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import { mayOnDashboard } from './access/filter.ts';
import { queueForIndex } from './listing/entry-store.ts';

/** A stored dashboard. */
export interface StoredDashboard extends StoredRecord {
  readonly description: string | undefined;
  /** The JSON text of its `Widget[]`. */
  readonly widgetsJson: string;
}

export type ReadableDashboard = Readable<StoredDashboard>;

export interface SummaryRow {
  id: string;
  userId: string;
  organizationId: string | null;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Returns a dashboard as a list shows it. */
export const toSummary = (row: SummaryRow): DashboardSummary => ({
  id: row.id,
  userId: row.userId,
  ...(row.organizationId !== null && { organizationId: row.organizationId }),
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

interface VersionRow extends VersionColumns {
  widgets: string;
}

const toRow = (stored: StoredDashboard): SummaryRow & VersionRow => ({
  id: stored.id,
  userId: stored.userId,
  organizationId: stored.organizationId ?? null,
  name: stored.name,
  description: stored.description ?? null,
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
  widgets: stored.widgetsJson,
  ...toVersionColumns(stored),
});

const insert = prepare((db, p: SummaryRow & VersionRow) =>
  db.insertInto('dashboards').values({
    id: p.id,
    user_id: p.userId,
    organization_id: p.organizationId,
    name: p.name,
    description: p.description,
    widgets: p.widgets,
    version: p.version,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
    updated_by: p.updatedBy,
    change: p.change,
  }),
);

export async function insertDashboard(transaction: Transaction, stored: StoredDashboard): Promise<void> {
  await transaction.run(insert, toRow(stored));
  await queueForIndex(transaction, stored.id);
}

const setOwner = prepare((db, p: { id: string; userId: string }) =>
  db.updateTable('dashboards').set({ user_id: p.userId }).where('id', '=', p.id),
);

export const setDashboardOwner = (
  transaction: Transaction,
  ownership: { id: string; userId: string },
): Promise<number> => transaction.run(setOwner, ownership);

/** Leaves out the owner, since SQLite rewrites the index of every column that is set, even if it doesn't change. */
const update = prepare((db, p: SummaryRow & VersionRow) =>
  db
    .updateTable('dashboards')
    .set({
      name: p.name,
      description: p.description,
      widgets: p.widgets,
      version: p.version,
      updated_at: p.updatedAt,
      updated_by: p.updatedBy,
      change: p.change,
      restored_from: p.restoredFrom,
      save_hash: p.saveHash,
    })
    .where('id', '=', p.id),
);

export const updateDashboardRow = (transaction: Transaction, stored: StoredDashboard): Promise<number> =>
  transaction.run(update, toRow(stored));

const summaryColumns = [
  'dashboards.id',
  'dashboards.user_id as userId',
  'dashboards.organization_id as organizationId',
  'dashboards.name',
  'dashboards.description',
  'dashboards.created_at as createdAt',
  'dashboards.updated_at as updatedAt',
] as const;

/** The columns of the table that `toReadable` needs. */
const storedColumns = [
  ...summaryColumns,
  'dashboards.widgets',
  'dashboards.version',
  'dashboards.updated_by as updatedBy',
  'dashboards.change',
  'dashboards.restored_from as restoredFrom',
  'dashboards.save_hash as saveHash',
  'dashboards.restricted',
] as const;

/** Selects a dashboard if the user may see it, in use or in the trash. */
const selectVisible = (db: Sql, p: { id: string; userId: string }) =>
  db
    .selectFrom('dashboards')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'dashboards.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('dashboard_shares', (join) =>
      join
        .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
        .on('dashboard_shares.user_id', '=', p.userId),
    )
    .where('dashboards.id', '=', p.id)
    .where(mayOnDashboard('dashboard.view', p.userId));

/** Dashboards that the user may not see aren't read at all, since the time of reading them would reveal that they exist. */
const selectReadable = (db: Sql, p: { id: string; userId: string }) =>
  selectVisible(db, p).select([
    ...storedColumns,
    'members.role',
    'dashboard_shares.access as share',
    'organizations.require_sso as requireSso',
  ]);

const readable = prepare((db, p: { id: string; userId: string; isDeleted?: true | undefined }) =>
  selectReadable(db, p).where('dashboards.deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
);

/** Returns a dashboard that the user owns or may see as a member of its organization, or undefined. */
export async function findReadableDashboard(
  reader: Reader,
  { id, userId, place = 'in use' }: { readonly id: string; readonly userId: string; readonly place?: Place },
): Promise<ReadableDashboard | undefined> {
  const row = await reader.first(readable, { id, userId, ...atPlace(place) });
  return row && toReadable(row);
}

const inOrganization = prepare(
  (db, p: { organizationId: string; id: string; userId: string; isDeleted?: true | undefined }) =>
    db
      .selectFrom('dashboards')
      .leftJoin('dashboard_shares', (join) =>
        join
          .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
          .on('dashboard_shares.user_id', '=', p.userId),
      )
      .select([...storedColumns, 'dashboard_shares.access as share'])
      .where('dashboards.id', '=', p.id)
      .where('dashboards.organization_id', '=', p.organizationId)
      .where('dashboards.deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
);

/** Returns a dashboard of an organization, even if the user may not see it, with the user's share; or undefined. */
export async function findDashboardInOrganization(
  reader: Reader,
  input: {
    readonly organizationId: string;
    readonly id: string;
    readonly userId?: string;
    readonly place: Place;
  },
): Promise<ReadableDashboard | undefined> {
  const { organizationId, id, userId = '', place } = input;
  const row = await reader.first(inOrganization, { organizationId, id, userId, ...atPlace(place) });
  return row && toReadable({ ...row, role: null, requireSso: null });
}

/** On PostgreSQL, others who want to change the dashboard wait, but never for a user who may not see it. */
const lockVisible = prepare((db, p: { id: string; userId: string }) =>
  selectVisible(db, p).select('dashboards.id').forUpdate('dashboards'),
);

/** Locks a dashboard that the user may see, in use or in the trash, and returns whether it exists. */
export const lockVisibleDashboard = async (
  transaction: Transaction,
  key: { readonly id: string; readonly userId: string },
): Promise<boolean> => (await transaction.first(lockVisible, key)) !== undefined;

type ReadableRow = SummaryRow &
  VersionRow & { role: string | null; share: string | null; restricted: number; requireSso: number | null };

const toReadable = (row: ReadableRow): ReadableDashboard => ({
  id: row.id,
  userId: row.userId,
  organizationId: row.organizationId ?? undefined,
  name: row.name,
  description: row.description ?? undefined,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  widgetsJson: row.widgets,
  ...fromVersionColumns(row),
  // Sound because the columns hold only roles and levels of access of the contract.
  role: (row.role ?? undefined) as Role | undefined,
  share: (row.share ?? undefined) as 'view' | 'edit' | undefined,
  isRestricted: row.restricted === 1,
  requireSso: row.requireSso === 1,
});
