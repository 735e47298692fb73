import type { Widget } from '#contract/dashboards.ts';
import { parseJson } from '../base/json.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { DashboardContent } from './dashboard-content.ts';
import { applyDelta, deltaBetween } from './dashboard-delta.ts';
import { updateDashboardRow, type StoredDashboard } from './dashboard-store.ts';
import { insertDashboardVersion, selectVersionSteps } from './dashboard-version-store.ts';

/** Every so many versions one is kept whole: the longest chain of deltas that a read has to apply. */
const wholeEvery = 50;

/** Returns what people edit of a stored dashboard. */
export function contentOf({ summary, widgetsJson }: StoredDashboard): DashboardContent {
  const { name, description } = summary;
  // Sound because the text is of what was validated when it was stored.
  const widgets = parseJson(widgetsJson) as Widget[];
  return { name, ...(description !== undefined && { description }), widgets };
}

/** Returns the content of a version of a dashboard, or undefined when there is none of this number. */
export async function findContent(
  reader: Reader,
  current: StoredDashboard,
  version: number,
): Promise<DashboardContent | undefined> {
  if (version < 1 || version > current.version) return undefined;
  const steps = await selectVersionSteps(reader, {
    dashboardId: current.summary.id,
    from: version,
    limit: wholeEvery,
  });
  const whole = steps.findIndex(({ content }) => content !== undefined);
  const start = steps[whole]?.content ?? contentOf(current);
  const back = whole === -1 ? steps : steps.slice(0, whole);
  return back.reduceRight((content, { delta }) => applyDelta(content, delta ?? {}), start);
}

/** Puts a new version into force, and keeps the one before. */
export async function storeVersion(
  transaction: Transaction,
  before: StoredDashboard,
  after: Omit<StoredDashboard, 'widgetsJson' | 'version'> & { readonly content: DashboardContent },
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
    widgetsJson: JSON.stringify(widgets),
    version: before.version + 1,
  };
  const previous = contentOf(before);
  await insertDashboardVersion(
    transaction,
    before,
    before.version % wholeEvery === 0 ? { content: previous } : { delta: deltaBetween(content, previous) },
  );
  await updateDashboardRow(transaction, stored);
  return stored;
}
