import type { DashboardVersionContent } from '#contract/dashboards/history.ts';
import type { ContentChange, RecordVersion } from '#contract/history.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import type { Page, PageRequest } from '../../base/paging.ts';
import { requireExpected, type ExpectedVersion } from '../../records/edit.ts';
import type { Current } from '../../records/history.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { requireAccess, requireDashboard, requireDashboardToChange } from '../access/access.ts';
import { describeChanges } from '../content/changes.ts';
import type { DashboardContent } from '../content/content.ts';
import type { StoredDashboard } from '../store.ts';
import { currentOf, dashboardHistory, storeVersion } from './versions.ts';

/** Lists the versions of a dashboard from the one in force on, newest first. For whoever may edit it. */
export async function listDashboardVersions(
  reader: Reader,
  actor: Actor,
  id: string,
  page: PageRequest,
): Promise<Page<RecordVersion>> {
  return dashboardHistory.list(reader, await requireHistory(reader, actor, id), page);
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
  const head = await dashboardHistory.findHead(reader, current, version);
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
    const stored = await requireDashboardToChange(transaction, actor, id, 'edit');
    requireExpected(expected, stored.version);
    const content = await requireContent(transaction, currentOf(stored), version);
    if (version === stored.version) return stored;
    return storeVersion(transaction, stored, {
      summary: { ...stored.summary, updatedAt: timestamp(clock()) },
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

async function requireHistory(reader: Reader, actor: Actor, id: string): Promise<Current<DashboardContent>> {
  const stored = await requireDashboard(reader, actor, id);
  requireAccess(stored, actor, 'edit');
  return currentOf(stored);
}

async function requireContent(
  reader: Reader,
  current: Current<DashboardContent>,
  version: number,
): Promise<DashboardContent> {
  const content = await dashboardHistory.findContent(reader, current, version);
  if (content === undefined) throw notFound();
  return content;
}
