import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { deleteEditor, deleteExpiredEditors, isEditor, upsertEditor } from './editor-store.ts';
import { deleteExpiredStreams } from './stream-store.ts';

/** How long a report of editing applies before it must be repeated. */
const editingMs = 30_000;

/** Records that the actor is editing a dashboard. Throws `forbidden` if the actor may not edit it. */
export function startEditing(
  database: Database,
  clock: Clock,
  actor: Actor,
  dashboardId: string,
): Promise<void> {
  return database.write(async (transaction) => {
    await requireDashboard(transaction, actor, dashboardId, 'edit');
    const editor = { dashboardId, userId: actor.userId };
    const now = clock();
    const isEditing = await isEditor(transaction, { ...editor, now: timestamp(now) });
    await upsertEditor(transaction, { ...editor, expiresAt: timestamp(now + editingMs) });
    if (!isEditing) transaction.announce(dashboardId);
  });
}

/** Records that the actor is not editing a dashboard, or no longer. */
export function stopEditing(database: Database, actor: Actor, dashboardId: string): Promise<void> {
  return database.write(async (transaction) => {
    await requireDashboard(transaction, actor, dashboardId);
    if (await deleteEditor(transaction, { dashboardId, userId: actor.userId })) {
      transaction.announce(dashboardId);
    }
  });
}

/** Deletes the editors whose last report of editing has expired, and the streams of processes that were killed. */
export async function sweepEditors(database: Database, clock: Clock): Promise<void> {
  const now = timestamp(clock());
  await database.writeSlowly(async (transaction) => {
    await deleteExpiredEditors(transaction, now);
    await deleteExpiredStreams(transaction, now);
  });
}
