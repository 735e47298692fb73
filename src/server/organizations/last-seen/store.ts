import type { Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface Seen {
  readonly userId: string;
  /** Undefined for every organization of the user. */
  readonly organizationId: string | undefined;
  readonly at: string;
  /** Members who were seen at this time or later stay as they are. */
  readonly before: string;
}

const update = prepare((db, p: Seen) => {
  const seen = db
    .updateTable('members')
    .set({ last_seen_at: p.at })
    .where('user_id', '=', p.userId)
    .where(({ or, eb }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<=', p.before)]));
  return p.organizationId === undefined ? seen : seen.where('organization_id', '=', p.organizationId);
});

export const updateLastSeen = (transaction: Transaction, seen: Seen): Promise<number> =>
  transaction.run(update, seen);
