import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface EditorKey {
  dashboardId: string;
  userId: string;
}

const current = prepare((sql, p: EditorKey & { now: string }) =>
  sql
    .selectFrom('dashboard_editors')
    .select('user_id as userId')
    .where('dashboard_id', '=', p.dashboardId)
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now),
);

/** Returns whether the user is editing the dashboard at `now`. */
export const isEditor = async (reader: Reader, editor: EditorKey & { now: string }): Promise<boolean> =>
  (await reader.first(current, editor)) !== undefined;

const upsert = prepare((sql, p: EditorKey & { expiresAt: string }) =>
  sql
    .insertInto('dashboard_editors')
    .values({ dashboard_id: p.dashboardId, user_id: p.userId, expires_at: p.expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['dashboard_id', 'user_id']).doUpdateSet({ expires_at: p.expiresAt }),
    ),
);

export const upsertEditor = (
  transaction: Transaction,
  editor: EditorKey & { expiresAt: string },
): Promise<number> => transaction.run(upsert, editor);

const remove = prepare((sql, p: EditorKey) =>
  sql
    .deleteFrom('dashboard_editors')
    .where('dashboard_id', '=', p.dashboardId)
    .where('user_id', '=', p.userId),
);

/** Returns whether the user was an editor. */
export const deleteEditor = async (transaction: Transaction, editor: EditorKey): Promise<boolean> =>
  (await transaction.run(remove, editor)) === 1;

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('dashboard_editors').where('expires_at', '<=', p.now),
);

export const deleteExpiredEditors = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });
