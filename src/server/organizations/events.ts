import { publishEvent } from '../events/events.ts';
import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const person = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.name', 'members.role'])
    .where('members.organization_id', '=', p.organizationId)
    .where('members.user_id', '=', p.userId),
);

/** Publishes that someone has become a member. */
export async function publishMember(
  transaction: Transaction,
  {
    organizationId,
    userId,
    at,
    actorId,
  }: Record<'organizationId' | 'userId' | 'at', string> & { readonly actorId?: string | undefined },
): Promise<void> {
  const describe = async () => ({
    member: { userId, ...(await transaction.first(person, { organizationId, userId })) },
  });
  await publishEvent(transaction, { organizationId, type: 'member.joined', at, actorId, describe });
}
