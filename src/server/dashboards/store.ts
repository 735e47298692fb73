import { expressionBuilder } from 'kysely';
import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { Readable, StoredRecord } from '../records/record.ts';
import { recordRows } from '../records/rows.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { shareOf } from './access/filter.ts';

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

export const dashboardRows = recordRows<StoredDashboard, { description: string | null; widgets: string }>({
  name: 'dashboard',
  ownColumns: ['description', 'widgets'],
  toOwn: ({ description, widgetsJson }) => ({ description: description ?? null, widgets: widgetsJson }),
  fromOwn: (record, { description, widgets }) => ({
    ...record,
    description: description ?? undefined,
    widgetsJson: widgets,
  }),
  restricted: expressionBuilder<Tables, 'dashboards'>().ref('dashboards.restricted'),
  share: shareOf,
});

const setOwner = prepare((db, p: { id: string; userId: string }) =>
  db.updateTable('dashboards').set({ user_id: p.userId }).where('id', '=', p.id),
);

export const setDashboardOwner = (
  transaction: Transaction,
  ownership: { id: string; userId: string },
): Promise<number> => transaction.run(setOwner, ownership);
