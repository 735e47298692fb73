import { sql } from 'kysely';
import { lacksSecondFactor } from '../organizations/second-factors/requirement.ts';

/**
 * SQL that is 1 if a member meets what the organization requires to sign in, without looking at a session: for what is done on behalf of
 * people, or sent to them. The query has the tables `users`, `members`, `organizations` and, if there is one, `session_policies`.
 *
 * A service account is the act of an admin. The directory that vouches for a person decides about second factors, too.
 */
export const meetsSignInRequirements = sql<number>`case when users.is_service_account = 1
    or members.directory_sign_in_at is not null
    or (organizations.require_sso = 0 and ${lacksSecondFactor} = 0) then 1 else 0 end`;
