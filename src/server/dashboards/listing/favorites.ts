import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { countStars, deleteOldVisits, deleteStar, putStar, putVisit } from './favorite-store.ts';

const maxStars = 1000;
const maxVisits = 200;

/** Stars a dashboard that the actor may see. Throws `too_many_stars`. */
export async function starDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireDashboard(transaction, actor, id);
    await putStar(transaction, { userId: actor.userId, dashboardId: id, at: timestamp(clock()) });
    if ((await countStars(transaction, actor.userId)) > maxStars) {
      throw new AtriumError(
        'too_many_stars',
        `You have starred ${maxStars} dashboards. Remove the star from another one first.`,
      );
    }
  });
}

/** Removes the actor's star from a dashboard, if it has one. */
export async function unstarDashboard(database: Database, actor: Actor, id: string): Promise<void> {
  await database.write(async (transaction) => {
    await requireDashboard(transaction, actor, id);
    await deleteStar(transaction, { userId: actor.userId, dashboardId: id });
  });
}

/** Records that the actor opened a dashboard. Only the 200 newest visits are stored. */
export async function visitDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await requireDashboard(transaction, actor, id);
    await putVisit(transaction, { userId: actor.userId, dashboardId: id, at: timestamp(clock()) });
    await deleteOldVisits(transaction, { userId: actor.userId, newestCount: maxVisits });
  });
}
