import type { Transaction } from './database.ts';
import { prepare } from './prepared-query.ts';

/** A key under which something is counted, and how often it is allowed in a window of time. */
export interface LimitedKey {
  readonly key: string;
  readonly limit: number;
}

/** A key whose limit was reached, and how long until it allows more. */
export interface ReachedLimit extends LimitedKey {
  readonly waitMs: number;
}

const add = prepare((sql, p: { key: string; now: number; expiresAt: number }) =>
  sql
    .insertInto('limited_attempts')
    .values({ key: p.key, count: 1, expires_at: p.expiresAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const isOver = eb('limited_attempts.expires_at', '<=', p.now);
        return {
          count: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb('limited_attempts.count', '+', 1))
            .end(),
          expires_at: eb
            .case()
            .when(isOver)
            .then(p.expiresAt)
            .else(eb.ref('limited_attempts.expires_at'))
            .end(),
        };
      }),
    )
    .returning(['count', 'expires_at as expiresAt']),
);

/**
 * Counts once under a key, together with all processes of the database. The count starts again `windowMs` after its first. Returns the
 * limit if it is exceeded: the caller then has to undo the transaction.
 */
export async function countLimited(
  transaction: Transaction,
  { key, limit }: LimitedKey,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<ReachedLimit | undefined> {
  const row = await transaction.first(add, { key, now, expiresAt: now + windowMs });
  if (row === undefined || row.count <= limit) return undefined;
  return { key, limit, waitMs: Number(row.expiresAt) - now };
}
