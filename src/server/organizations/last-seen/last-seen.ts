import { hoursMs, timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import { updateLastSeen } from './store.ts';

/** How far the recorded time may lag behind, so that a busy member is written at most once an hour. */
const seenEveryMs = hoursMs(1);

/**
 * Records that a user was seen at `at`: in one organization or, with a session that isn't limited to one, in all of theirs.
 */
export async function recordSeen(
  transaction: Transaction,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string | null },
  at: string,
): Promise<void> {
  const before = timestamp(Date.parse(at) - seenEveryMs);
  await updateLastSeen(transaction, { userId, organizationId: organizationId ?? undefined, at, before });
}
