import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import { recordKind, type RecordKind } from '../records/kind.ts';
import { describeChanges } from './content/changes.ts';
import { contentOf, isSameContent, widgetsText, type DashboardContent } from './content/content.ts';
import { applyDelta, deltaBetween, type ContentDelta } from './content/delta.ts';
import { withoutNewIds } from './content/editing.ts';
import { mergeContents } from './content/merge.ts';
import { noteShownImages } from './content/shown-images.ts';
import { editorsAfter, editorsText } from './content/widget-editors.ts';
import { queueForIndex } from './listing/entry-store.ts';
import { publishDeletion, publishSave } from './events.ts';
import { dashboardRows, toSummary, type StoredDashboard } from './store.ts';

export const dashboardKind: RecordKind<DashboardContent, StoredDashboard, DashboardSummary> = recordKind<
  DashboardContent,
  StoredDashboard,
  DashboardSummary
>({
  ...dashboardRows,
  name: 'dashboard',
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
  attribute: (before, content, { updatedBy, contribution }) => ({
    editorsJson: editorsText(content.widgets, editorsAfter(before, content, contribution), updatedBy),
  }),
  describeChanges,
  toDraft: withoutNewIds,
  toSummary,
  async insert(transaction, stored, place) {
    await dashboardRows.insert(transaction, stored, place);
    await noteShownImages(transaction, stored);
    await queueForIndex(transaction, stored.id);
    await publishSave(transaction, 'dashboard.created', stored);
  },
  async update(transaction, stored) {
    await dashboardRows.update(transaction, stored);
    await noteShownImages(transaction, stored);
    await publishSave(transaction, 'dashboard.changed', stored);
  },
  async onChange(transaction, { id, organizationId }) {
    transaction.announce(id);
    await queueForIndex(transaction, id);
    await publishDeletion(transaction, { id, organizationId });
  },
});
