import type {
  ContentChange,
  DashboardVersion,
  DashboardVersionContent,
} from '#contract/dashboard-history.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { notFound } from '../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireAccess, requireDashboard, requireDashboardToChange } from './dashboard-access.ts';
import { describeChanges } from './dashboard-changes.ts';
import type { DashboardContent } from './dashboard-content.ts';
import { unknownVersion, type ExpectedVersion } from './dashboard-editing.ts';
import type { ReadableDashboard, StoredDashboard } from './dashboard-store.ts';
import { findUserName, selectVersionHeads } from './dashboard-version-store.ts';
import { findContent, storeVersion } from './dashboard-versions.ts';

/** Lists the versions of a dashboard from the one in force on, newest first. For whoever may edit it. */
export async function listDashboardVersions(
  reader: Reader,
  actor: Actor,
  id: string,
  page: PageRequest,
): Promise<Page<DashboardVersion>> {
  const current = await requireHistory(reader, actor, id);
  const before = page.after === undefined ? current.version + 1 : Number(page.after);
  const items = before > current.version ? [await currentHead(reader, current)] : [];
  const older = await selectVersionHeads(reader, {
    dashboardId: id,
    before: Math.min(before, current.version),
    limit: page.limit + 1 - items.length,
  });
  return toPage([...items, ...older], page, ({ version }) => String(version));
}

/** Returns a version of a dashboard. For whoever may edit it. Throws `not_found`. */
export async function getDashboardVersion(
  reader: Reader,
  actor: Actor,
  id: string,
  version: number,
): Promise<DashboardVersionContent> {
  const current = await requireHistory(reader, actor, id);
  const content = await requireContent(reader, current, version);
  const [head] =
    version === current.version
      ? [await currentHead(reader, current)]
      : await selectVersionHeads(reader, { dashboardId: id, before: version + 1, limit: 1 });
  if (head === undefined) throw notFound();
  return { ...head, ...content, widgets: [...content.widgets] };
}

/** Makes a new version with the content of an old one. Throws `unknown_version` when another is in force than expected. */
export function restoreDashboardVersion(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { id: string; version: number; expected: ExpectedVersion },
): Promise<StoredDashboard> {
  const { id, version, expected } = input;
  return database.write(async (transaction) => {
    const current = await requireDashboardToChange(transaction, actor, id, 'edit');
    if (expected !== 'any' && !expected.includes(current.version)) throw unknownVersion(current.version);
    const content = await requireContent(transaction, current, version);
    if (version === current.version) return current;
    return storeVersion(transaction, current, {
      summary: { ...current.summary, updatedAt: timestamp(clock()) },
      content,
      updatedBy: actor.userId,
      change: 'restored',
      restoredFrom: version,
      saveHash: undefined,
    });
  });
}

/** Lists what changed from one version of a dashboard to another; `to` left out is the one in force. */
export async function compareDashboardVersions(
  reader: Reader,
  actor: Actor,
  id: string,
  versions: { from: number; to: number | undefined },
): Promise<ContentChange[]> {
  const current = await requireHistory(reader, actor, id);
  const from = await requireContent(reader, current, versions.from);
  const to = await requireContent(reader, current, versions.to ?? current.version);
  return describeChanges(from, to);
}

async function requireHistory(reader: Reader, actor: Actor, id: string): Promise<ReadableDashboard> {
  const current = await requireDashboard(reader, actor, id);
  requireAccess(current, actor, 'edit');
  return current;
}

async function requireContent(
  reader: Reader,
  current: StoredDashboard,
  version: number,
): Promise<DashboardContent> {
  const content = await findContent(reader, current, version);
  if (content === undefined) throw notFound();
  return content;
}

const currentHead = async (reader: Reader, current: StoredDashboard): Promise<DashboardVersion> => ({
  version: current.version,
  userId: current.updatedBy,
  userName: await findUserName(reader, current.updatedBy),
  at: current.summary.updatedAt,
  change: current.change,
  ...(current.restoredFrom !== undefined && { restoredFrom: current.restoredFrom }),
});
