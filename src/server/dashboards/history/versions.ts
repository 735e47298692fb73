import type { Widget } from '#contract/dashboards/dashboards.ts';
import { parseJson } from '../../base/json.ts';
import { historyOf, type Current } from '../../records/history.ts';
import type { Transaction } from '../../storage/database.ts';
import { isSameContent, widgetsText, type DashboardContent } from '../content/content.ts';
import { applyDelta, deltaBetween, type ContentDelta } from '../content/delta.ts';
import { mergeContents } from '../content/merge.ts';
import { setDashboardOwner, updateDashboardRow, type StoredDashboard } from '../store.ts';

/** The versions of dashboards. */
export const dashboardHistory = historyOf<DashboardContent>('dashboard_versions', {
  deltaBetween,
  // Sound because `deltaBetween` made it.
  applyDelta: (from, delta) => applyDelta(from, delta as ContentDelta),
  isSame: isSameContent,
  merge: mergeContents,
});

/** Returns what people edit of a stored dashboard. */
export function contentOf({ summary, widgetsJson }: StoredDashboard): DashboardContent {
  const { name, description } = summary;
  // Sound because the text is of what was validated when it was stored.
  const widgets = parseJson(widgetsJson) as Widget[];
  return { name, ...(description !== undefined && { description }), widgets };
}

/** Returns a stored dashboard as its history sees it. */
export const currentOf = (stored: StoredDashboard): Current<DashboardContent> => ({
  id: stored.summary.id,
  version: stored.version,
  updatedBy: stored.updatedBy,
  updatedAt: stored.summary.updatedAt,
  change: stored.change,
  restoredFrom: stored.restoredFrom,
  saveHash: stored.saveHash,
  content: contentOf(stored),
});

/** Puts a new version into force, and keeps the one before; `current` is that as its history sees it, where it is known. */
export async function storeVersion(
  transaction: Transaction,
  before: StoredDashboard,
  after: Omit<StoredDashboard, 'widgetsJson' | 'version'> & { readonly content: DashboardContent },
  current: Current<DashboardContent> = currentOf(before),
): Promise<StoredDashboard> {
  const { content, summary, ...made } = after;
  const { name, description, widgets } = content;
  const { id, userId, organizationId, createdAt, updatedAt } = summary;
  const stored = {
    ...made,
    summary: {
      id,
      userId,
      ...(organizationId !== undefined && { organizationId }),
      name,
      ...(description !== undefined && { description }),
      createdAt,
      updatedAt,
    },
    widgetsJson: widgetsText(widgets),
    version: before.version + 1,
  };
  await dashboardHistory.keep(transaction, current, content);
  await updateDashboardRow(transaction, stored);
  if (userId !== before.summary.userId) await setDashboardOwner(transaction, { id, userId });
  return stored;
}
