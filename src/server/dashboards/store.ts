import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { Readable, StoredRecord } from '../records/record.ts';
import { recordRows } from '../records/rows.ts';

/** A stored dashboard. */
export interface StoredDashboard extends StoredRecord {
  readonly description: string | undefined;
  /** The JSON text of its `Widget[]`. */
  readonly widgetsJson: string;
  /** Who last added or changed each widget, for `readEditors`; undefined if the user who saved this version did. */
  readonly editorsJson?: string | undefined;
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

export const dashboardRows = recordRows<
  StoredDashboard,
  { description: string | null; widgets: string; widget_editors: string | null }
>({
  name: 'dashboard',
  ownColumns: ['description', 'widgets', 'widget_editors'],
  toOwn: ({ description, widgetsJson, editorsJson }) => ({
    description: description ?? null,
    widgets: widgetsJson,
    widget_editors: editorsJson ?? null,
  }),
  fromOwn: (record, { description, widgets, widget_editors: editors }) => ({
    ...record,
    description: description ?? undefined,
    widgetsJson: widgets,
    editorsJson: editors ?? undefined,
  }),
});
