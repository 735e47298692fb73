import { sql } from 'kysely';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface Favorite {
  readonly userId: string;
  readonly dashboardId: string;
}

const star = prepare((db, p: Favorite & { at: string }) =>
  db
    .insertInto('dashboard_stars')
    .values({ user_id: p.userId, dashboard_id: p.dashboardId, starred_at: p.at })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stars a dashboard for a user, unless it is already starred. */
export const putStar = (transaction: Transaction, starred: Favorite & { at: string }): Promise<number> =>
  transaction.run(star, starred);

const unstar = prepare((db, p: Favorite) =>
  db.deleteFrom('dashboard_stars').where('user_id', '=', p.userId).where('dashboard_id', '=', p.dashboardId),
);

export const deleteStar = (transaction: Transaction, starred: Favorite): Promise<number> =>
  transaction.run(unstar, starred);

const starCount = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('dashboard_stars')
    .select((each) => each.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', p.userId),
);

export const countStars = async (reader: Reader, userId: string): Promise<number> =>
  Number((await reader.first(starCount, { userId }))?.count ?? 0);

const visit = prepare((db, p: Favorite & { at: string }) =>
  db
    .insertInto('dashboard_visits')
    .values({ user_id: p.userId, dashboard_id: p.dashboardId, visited_at: p.at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'dashboard_id']).doUpdateSet({ visited_at: p.at }),
    ),
);

export const putVisit = (transaction: Transaction, visited: Favorite & { at: string }): Promise<number> =>
  transaction.run(visit, visited);

const removeOldVisits = prepare((db, p: { userId: string; newestCount: number }) =>
  db
    .deleteFrom('dashboard_visits')
    .where('user_id', '=', p.userId)
    .where('dashboard_id', 'in', (visits) =>
      visits
        .selectFrom('dashboard_visits')
        .select('dashboard_id')
        .where('user_id', '=', p.userId)
        .orderBy('visited_at', 'desc')
        .orderBy('dashboard_id', 'desc')
        .limit(100)
        .offset(sql<number>`${p.newestCount}`),
    ),
);

/** Deletes a user's visits except the newest. */
export const deleteOldVisits = (
  transaction: Transaction,
  visits: { userId: string; newestCount: number },
): Promise<number> => transaction.run(removeOldVisits, visits);
