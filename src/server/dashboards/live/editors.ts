import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { deleteEditor, deleteEndedEditors, isEditor, upsertEditor } from './editor-store.ts';

/** How long somebody counts as editing who does not say so again. */
const editingMs = 30_000;

/** Takes down that the actor is editing a dashboard. Throws `forbidden` when the actor may not. */
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
    const isKnown = await isEditor(transaction, { ...editor, now: timestamp(now) });
    await upsertEditor(transaction, { ...editor, expiresAt: timestamp(now + editingMs) });
    if (!isKnown) transaction.announce(dashboardId);
  });
}

/** Takes down that the actor is no longer editing a dashboard, having done so or not. */
export function stopEditing(database: Database, actor: Actor, dashboardId: string): Promise<void> {
  return database.write(async (transaction) => {
    await requireDashboard(transaction, actor, dashboardId);
    if (await deleteEditor(transaction, { dashboardId, userId: actor.userId })) {
      transaction.announce(dashboardId);
    }
  });
}

/** Forgets who has not said for a while to be editing. */
export async function sweepEditors(database: Database, clock: Clock): Promise<void> {
  await database.writeSlowly((transaction) => deleteEndedEditors(transaction, timestamp(clock())));
}
