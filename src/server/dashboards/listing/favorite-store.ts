import { sql } from 'kysely';
import type { Reader, Transaction } from '../../storage/database.ts';
import { matchingAmong } from '../../storage/full-text.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

interface MarkKey {
  readonly userId: string;
  readonly dashboardId: string;
}

const star = prepare((db, p: MarkKey & { at: string }) =>
  db
    .insertInto('dashboard_marks')
    .values({ user_id: p.userId, dashboard_id: p.dashboardId, starred_at: p.at, visited_at: null })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'dashboard_id']).doUpdateSet((mark) => ({
        starred_at: mark.fn.coalesce('dashboard_marks.starred_at', 'excluded.starred_at'),
      })),
    ),
);

const visit = prepare((db, p: MarkKey & { at: string }) =>
  db
    .insertInto('dashboard_marks')
    .values({ user_id: p.userId, dashboard_id: p.dashboardId, starred_at: null, visited_at: p.at })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'dashboard_id'])
        .doUpdateSet((mark) => ({ visited_at: mark.ref('excluded.visited_at') })),
    ),
);

const unstar = prepare((db, p: MarkKey) =>
  db
    .updateTable('dashboard_marks')
    .set({ starred_at: null })
    .where('user_id', '=', p.userId)
    .where('dashboard_id', '=', p.dashboardId),
);

const starCount = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('dashboard_marks')
    .select((each) => each.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', p.userId)
    .where('starred_at', 'is not', null),
);

const stars = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('dashboard_marks')
    .select('dashboard_id as dashboardId')
    .where('user_id', '=', p.userId)
    .where('starred_at', 'is not', null),
);

const oldVisit = prepare((db, p: { userId: string; kept: number }) =>
  db
    .selectFrom('dashboard_marks')
    .select(['dashboard_id as dashboardId'])
    .where('user_id', '=', p.userId)
    .where('visited_at', 'is not', null)
    .orderBy('visited_at', 'desc')
    .orderBy('dashboard_id', 'desc')
    .limit(100)
    .offset(sql<number>`${p.kept}`),
);

const marked = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('dashboard_marks')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_marks.dashboard_id')
    .select([
      'dashboards.id',
      'dashboard_marks.starred_at as starredAt',
      'dashboard_marks.visited_at as visitedAt',
      'dashboards.updated_at as updatedAt',
      sql<string>`substr(dashboards.name, 1, 10000)`.as('name'),
    ])
    .where('dashboard_marks.user_id', '=', p.userId),
);

const markedKeys = (db: Sql, p: { userId: string; scope: string }) =>
  db
    .selectFrom('dashboard_marks')
    .innerJoin('dashboard_entries', 'dashboard_entries.dashboard_id', 'dashboard_marks.dashboard_id')
    .select('dashboard_entries.key')
    .where('dashboard_marks.user_id', '=', p.userId)
    .where('dashboard_entries.scope', '=', p.scope);

const foundMarks = prepare((db, p: { userId: string; scope: string; search: string }, engine) =>
  db
    .selectFrom(matchingAmong(engine, p, markedKeys(db, p)).as('found'))
    .innerJoin('dashboard_entries', 'dashboard_entries.key', 'found.key')
    .select('dashboard_id as id'),
);

const forgetVisit = prepare((db, p: MarkKey) =>
  db
    .updateTable('dashboard_marks')
    .set({ visited_at: null })
    .where('user_id', '=', p.userId)
    .where('dashboard_id', '=', p.dashboardId),
);

const removeEmpty = prepare((db, p: MarkKey) =>
  db
    .deleteFrom('dashboard_marks')
    .where('user_id', '=', p.userId)
    .where('dashboard_id', '=', p.dashboardId)
    .where('starred_at', 'is', null)
    .where('visited_at', 'is', null),
);

/** Stars a dashboard for a user; one that is starred already stays as it is. */
export const putStar = (transaction: Transaction, mark: MarkKey & { at: string }): Promise<number> =>
  transaction.run(star, mark);

export const putVisit = (transaction: Transaction, mark: MarkKey & { at: string }): Promise<number> =>
  transaction.run(visit, mark);

export async function clearStar(transaction: Transaction, mark: MarkKey): Promise<void> {
  await transaction.run(unstar, mark);
  await transaction.run(removeEmpty, mark);
}

export const countStars = async (reader: Reader, userId: string): Promise<number> =>
  Number((await reader.first(starCount, { userId }))?.count ?? 0);

/** Returns the ids of the dashboards that a user has starred. */
export const findStars = async (reader: Reader, userId: string): Promise<Set<string>> =>
  new Set((await reader.all(stars, { userId })).map(({ dashboardId }) => dashboardId));

/** Keeps the newest `kept` visits of a user. */
export async function forgetOldVisits(transaction: Transaction, userId: string, kept: number): Promise<void> {
  for (const { dashboardId } of await transaction.all(oldVisit, { userId, kept })) {
    await transaction.run(forgetVisit, { userId, dashboardId });
    await transaction.run(removeEmpty, { userId, dashboardId });
  }
}

export interface MarkedDashboard {
  readonly id: string;
  readonly isStarred: boolean;
  readonly visitedAt: string | undefined;
  readonly updatedAt: string;
  /** As far as it is sorted by. */
  readonly name: string;
}

/** Returns all dashboards that a user has starred or visited, whether the user may still see them or not. */
export async function selectMarked(reader: Reader, userId: string): Promise<MarkedDashboard[]> {
  const rows = await reader.all(marked, { userId });
  return rows.map(({ starredAt, visitedAt, ...row }) => ({
    ...row,
    isStarred: starredAt !== null,
    visitedAt: visitedAt ?? undefined,
  }));
}

/** Returns the ids of those dashboards of a scope that a user has starred or visited and that fit a search. */
export const selectFoundMarks = async (
  reader: Reader,
  search: { readonly userId: string; readonly scope: string; readonly search: string },
): Promise<string[]> => (await reader.all(foundMarks, search)).map(({ id }) => id);
