import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import { recordKind, type RecordKind } from '../records/kind.ts';
import { mayOnDashboardOfMember } from './access/filter.ts';
import { describeChanges } from './content/changes.ts';
import { contentOf, isSameContent, widgetsText, type DashboardContent } from './content/content.ts';
import { applyDelta, deltaBetween, type ContentDelta } from './content/delta.ts';
import { withoutNewIds } from './content/editing.ts';
import { mergeContents } from './content/merge.ts';
import { queueForIndex } from './listing/entry-store.ts';
import {
  findDashboardInOrganization,
  findReadableDashboard,
  insertDashboard,
  lockVisibleDashboard,
  toSummary,
  updateDashboardRow,
  type StoredDashboard,
} from './store.ts';

export const dashboardKind: RecordKind<DashboardContent, StoredDashboard, DashboardSummary> = recordKind<
  DashboardContent,
  StoredDashboard,
  DashboardSummary
>({
  name: 'dashboard',
  table: {
    name: 'dashboards',
    details: 'description',
    mayEdit: (userId) => mayOnDashboardOfMember('dashboard.edit', userId),
  },
  content: {
    deltaBetween,
    // Sound because `deltaBetween` made it.
    applyDelta: (from, delta) => applyDelta(from, delta as ContentDelta),
    isSame: isSameContent,
    merge: mergeContents,
  },
  contentOf,
  build: (head, { name, description, widgets }) => ({
    ...head,
    name,
    description,
    widgetsJson: widgetsText(widgets),
  }),
  describeChanges,
  toDraft: withoutNewIds,
  toSummary: ({ details, ...row }) => toSummary({ ...row, description: details }),
  findReadable: findReadableDashboard,
  findInOrganization: findDashboardInOrganization,
  lockVisible: lockVisibleDashboard,
  insert: insertDashboard,
  update: updateDashboardRow,
  async onChange(transaction, { id }) {
    transaction.announce(id);
    await queueForIndex(transaction, id);
  },
});
