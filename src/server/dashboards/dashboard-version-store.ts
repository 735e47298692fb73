import type { DashboardVersion, VersionChange } from '#contract/dashboard-history.ts';
import { parseJson } from '../base/json.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { DashboardContent } from './dashboard-content.ts';
import type { ContentDelta } from './dashboard-delta.ts';
import type { StoredDashboard } from './dashboard-store.ts';

interface VersionRow {
  dashboardId: string;
  version: number;
  userId: string;
  at: string;
  change: string;
  restoredFrom: number | null;
  saveHash: string | null;
  delta: string | null;
  content: string | null;
}

const insert = prepare((db, p: VersionRow) =>
  db.insertInto('dashboard_versions').values({
    dashboard_id: p.dashboardId,
    version: p.version,
    user_id: p.userId,
    at: p.at,
    change: p.change,
    restored_from: p.restoredFrom,
    save_hash: p.saveHash,
    delta: p.delta,
    content: p.content,
  }),
);

const heads = prepare((db, p: { dashboardId: string; before: number; limit: number }) =>
  db
    .selectFrom('dashboard_versions')
    .leftJoin('users', 'users.id', 'dashboard_versions.user_id')
    .select([
      'dashboard_versions.version',
      'dashboard_versions.user_id as userId',
      'users.name as userName',
      'dashboard_versions.at',
      'dashboard_versions.change',
      'dashboard_versions.restored_from as restoredFrom',
    ])
    .where('dashboard_id', '=', p.dashboardId)
    .where('version', '<', p.before)
    .orderBy('version', 'desc')
    .limit(p.limit),
);

const steps = prepare((db, p: { dashboardId: string; from: number; limit: number }) =>
  db
    .selectFrom('dashboard_versions')
    .select(['version', 'delta', 'content'])
    .where('dashboard_id', '=', p.dashboardId)
    .where('version', '>=', p.from)
    .orderBy('version')
    .limit(p.limit),
);

const saves = prepare((db, p: { dashboardId: string; from: number; userId: string; saveHash: string }) =>
  db
    .selectFrom('dashboard_versions')
    .select('version')
    .where('dashboard_id', '=', p.dashboardId)
    .where('version', '>', p.from)
    .where('user_id', '=', p.userId)
    .where('save_hash', '=', p.saveHash)
    .limit(1),
);

const userName = prepare((db, p: { userId: string }) =>
  db.selectFrom('users').select('name').where('id', '=', p.userId),
);

/** Keeps a version whose place another takes: as a delta from that one, or whole. */
export async function insertDashboardVersion(
  transaction: Transaction,
  stored: StoredDashboard,
  kept: { delta: ContentDelta } | { content: DashboardContent },
): Promise<void> {
  await transaction.run(insert, {
    dashboardId: stored.summary.id,
    version: stored.version,
    userId: stored.updatedBy,
    at: stored.summary.updatedAt,
    change: stored.change,
    restoredFrom: stored.restoredFrom ?? null,
    saveHash: stored.saveHash ?? null,
    delta: 'delta' in kept ? JSON.stringify(kept.delta) : null,
    content: 'content' in kept ? JSON.stringify(kept.content) : null,
  });
}

/** Returns up to `limit` versions before `before`, newest first; the version in force is none of them. */
export async function selectVersionHeads(
  reader: Reader,
  range: { dashboardId: string; before: number; limit: number },
): Promise<DashboardVersion[]> {
  const rows = await reader.all(heads, range);
  return rows.map(({ userName: name, restoredFrom, change, ...row }) => ({
    ...row,
    userName: name ?? '',
    // The column holds only what the contract's words put there.
    change: change as VersionChange,
    ...(restoredFrom !== null && { restoredFrom }),
  }));
}

/** A step back: what makes a version of the one after it, or the version as it was. */
export interface VersionStep {
  readonly version: number;
  readonly delta: ContentDelta | undefined;
  readonly content: DashboardContent | undefined;
}

/** Returns up to `limit` steps, from version `from` on, oldest first. */
export async function selectVersionSteps(
  reader: Reader,
  range: { dashboardId: string; from: number; limit: number },
): Promise<VersionStep[]> {
  const rows = await reader.all(steps, range);
  return rows.map(({ version, delta, content }) => ({
    version,
    // Sound because `insertDashboardVersion` wrote them.
    delta: delta === null ? undefined : (parseJson(delta) as ContentDelta),
    content: content === null ? undefined : (parseJson(content) as DashboardContent),
  }));
}

/** Whether a version after `from`, other than the one in force, was made by a certain request. */
export async function hasVersionOfSave(
  reader: Reader,
  save: { dashboardId: string; from: number; userId: string; saveHash: string },
): Promise<boolean> {
  return (await reader.first(saves, save)) !== undefined;
}

/** Returns the name of whoever made a version; empty when they are no more. */
export const findUserName = async (reader: Reader, userId: string): Promise<string> =>
  (await reader.first(userName, { userId }))?.name ?? '';
