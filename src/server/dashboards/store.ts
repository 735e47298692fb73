import type { VersionChange } from '#contract/history.ts';
import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { fromVersionColumns, toVersionColumns, type VersionColumns } from '../records/version-columns.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import { mayOnDashboard } from './access/filter.ts';
import { queueForIndex } from './listing/entry-store.ts';

/** A dashboard as it is stored: its record, and how its version in force came to be. */
export interface StoredDashboard {
  readonly summary: DashboardSummary;
  /** The text of its `Widget[]`, as `JSON.stringify` wrote it. */
  readonly widgetsJson: string;
  /** What its `ETag` shows. */
  readonly version: number;
  readonly updatedBy: string;
  readonly change: VersionChange;
  readonly restoredFrom: number | undefined;
  readonly saveHash: string | undefined;
}

/** A dashboard that somebody may see, and what decides how much of it. */
export interface ReadableDashboard extends StoredDashboard {
  /** Of the reader, in the organization it belongs to; undefined when it belongs to none. */
  readonly role: Role | undefined;
  /** What the reader is named for. */
  readonly share: 'view' | 'edit' | undefined;
  readonly isRestricted: boolean;
  readonly requireSso: boolean;
}

export interface SummaryRow {
  id: string;
  userId: string;
  organizationId: string | null;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

interface VersionRow extends VersionColumns {
  widgets: string;
}

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

/** Not of who owns it: SQLite writes an index anew for each column that is set, changed or not. */
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

const setOwner = prepare((db, p: { id: string; userId: string }) =>
  db.updateTable('dashboards').set({ user_id: p.userId }).where('id', '=', p.id),
);

const markDeleted = prepare((db, p: { id: string; at: string; userId: string }) =>
  db.updateTable('dashboards').set({ deleted_at: p.at, deleted_by: p.userId }).where('id', '=', p.id),
);

const summaryColumns = [
  'dashboards.id',
  'dashboards.user_id as userId',
  'dashboards.organization_id as organizationId',
  'dashboards.name',
  'dashboards.description',
  'dashboards.created_at as createdAt',
  'dashboards.updated_at as updatedAt',
] as const;

/** All that `toReadable` takes of the table itself. */
export const storedColumns = [
  ...summaryColumns,
  'dashboards.widgets',
  'dashboards.version',
  'dashboards.updated_by as updatedBy',
  'dashboards.change',
  'dashboards.restored_from as restoredFrom',
  'dashboards.save_hash as saveHash',
  'dashboards.restricted',
] as const;

/** A dashboard as long as the user may see it, in the trash or not. */
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

/** One that the user may not see is not even read: how long that takes would tell of it. */
const selectReadable = (db: Sql, p: { id: string; userId: string }) =>
  selectVisible(db, p).select([
    ...storedColumns,
    'members.role',
    'dashboard_shares.access as share',
    'organizations.require_sso as requireSso',
  ]);

const readable = prepare((db, p: { id: string; userId: string }) =>
  selectReadable(db, p).where('dashboards.deleted_at', 'is', null),
);

/** As `readable`, in the trash. */
const readableInTrash = prepare((db, p: { id: string; userId: string }) =>
  selectReadable(db, p).where('dashboards.deleted_at', 'is not', null),
);

/** On PostgreSQL others that would change the dashboard wait; nobody makes them wait who does not see it. */
const lockVisible = prepare((db, p: { id: string; userId: string }) =>
  selectVisible(db, p).select('dashboards.id').forUpdate('dashboards'),
);

export const toSummary = (row: SummaryRow): DashboardSummary => ({
  id: row.id,
  userId: row.userId,
  ...(row.organizationId !== null && { organizationId: row.organizationId }),
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const toRow = ({ summary, widgetsJson, ...stored }: StoredDashboard): SummaryRow & VersionRow => ({
  ...summary,
  organizationId: summary.organizationId ?? null,
  description: summary.description ?? null,
  widgets: widgetsJson,
  ...toVersionColumns(stored),
});

export async function insertDashboard(transaction: Transaction, stored: StoredDashboard): Promise<void> {
  await transaction.run(insert, toRow(stored));
  await queueForIndex(transaction, stored.summary.id);
}

export const setDashboardOwner = (
  transaction: Transaction,
  ownership: { id: string; userId: string },
): Promise<number> => transaction.run(setOwner, ownership);

export async function updateDashboardRow(transaction: Transaction, stored: StoredDashboard): Promise<void> {
  transaction.announce(stored.summary.id);
  await transaction.run(update, toRow(stored));
  await queueForIndex(transaction, stored.summary.id);
}

export async function markDashboardDeleted(
  transaction: Transaction,
  deletion: { id: string; at: string; userId: string },
): Promise<void> {
  transaction.announce(deletion.id);
  await transaction.run(markDeleted, deletion);
  await queueForIndex(transaction, deletion.id);
}

/** Returns a dashboard that is the user's own, or that the user may see as a member of its organization, or undefined. */
export async function findReadableDashboard(
  reader: Reader,
  id: string,
  userId: string,
): Promise<ReadableDashboard | undefined> {
  const row = await reader.first(readable, { id, userId });
  return row && toReadable(row);
}

/**
 * As `findReadableDashboard`, in a transaction that changes it. What the user may is read once the row is locked, by a
 * query of its own: one that has waited for the lock knows the rights only from before it waited.
 */
export async function lockReadableDashboard(
  transaction: Transaction,
  id: string,
  userId: string,
): Promise<ReadableDashboard | undefined> {
  if ((await transaction.first(lockVisible, { id, userId })) === undefined) return undefined;
  return findReadableDashboard(transaction, id, userId);
}

/** As `lockReadableDashboard`, for a dashboard in the trash. */
export async function lockDashboardInTrash(
  transaction: Transaction,
  id: string,
  userId: string,
): Promise<ReadableDashboard | undefined> {
  if ((await transaction.first(lockVisible, { id, userId })) === undefined) return undefined;
  const row = await transaction.first(readableInTrash, { id, userId });
  return row && toReadable(row);
}

type ReadableRow = SummaryRow &
  VersionRow & { role: string | null; share: string | null; restricted: number; requireSso: number | null };

export const toReadable = (row: ReadableRow): ReadableDashboard => ({
  summary: toSummary(row),
  widgetsJson: row.widgets,
  ...fromVersionColumns(row),
  // The columns hold only what the contract's words put there.
  role: (row.role ?? undefined) as Role | undefined,
  share: (row.share ?? undefined) as 'view' | 'edit' | undefined,
  isRestricted: row.restricted === 1,
  requireSso: row.requireSso === 1,
});
