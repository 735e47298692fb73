import { sql } from 'kysely';
import type { Actor } from '../../base/actor.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/**
 * Whether a member needs a second factor that their account doesn't have, as 1 or 0, in a query of `members` that joins
 * `session_policies`. Someone whose account has no password can't sign in with one, and isn't concerned.
 */
export const lacksSecondFactor = sql<number>`case when (
    session_policies.second_factor = 'everyone'
    or (session_policies.second_factor = 'owners' and members.role = 'owner')
  ) and exists (
    select 1 from users where users.id = members.user_id and users.password_hash is not null
  ) and not (${hasSecondFactorOf('members.user_id')}) then 1 else 0 end`;

/** What counts as a second factor: a condition on a column with the ID of a user. */
export function hasSecondFactorOf(
  userIdColumn: 'members.user_id' | 'users.id',
): ReturnType<typeof sql<boolean>> {
  return sql<boolean>`(exists (
    select 1 from authenticator_apps
    where authenticator_apps.user_id = ${sql.ref(userIdColumn)} and authenticator_apps.secret is not null
  ) or exists (
    select 1 from passkeys where passkeys.user_id = ${sql.ref(userIdColumn)}
  ))`;
}

const withSecondFactor = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', p.userId)
    .where(hasSecondFactorOf('users.id')),
);

/**
 * Whether the password of an account is not enough to sign in. Recovery codes are no second factor by themselves. Passkeys for another
 * host count: a new URL of the server must not make passwords enough.
 */
export const hasSecondFactor = async (reader: Reader, userId: string): Promise<boolean> =>
  (await reader.first(withSecondFactor, { userId })) !== undefined;

/** Returns the organizations that require a second factor that the person doesn't have, as a member of `Actor`. */
export function missingIn(
  organizations: readonly { readonly organizationId: string; readonly lacksSecondFactor: boolean }[],
): Pick<Actor, 'secondFactorMissingIn'> {
  const missing = organizations.filter((organization) => organization.lacksSecondFactor);
  return missing.length === 0
    ? {}
    : { secondFactorMissingIn: missing.map(({ organizationId }) => organizationId) };
}
