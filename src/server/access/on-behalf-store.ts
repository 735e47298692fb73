import { expressionBuilder, sql } from 'kysely';
import { lacksSecondFactor } from '../organizations/second-factors/requirement.ts';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { mayOnRecord } from './filter.ts';

interface Viewers {
  readonly organizationId: string;
  readonly reportIds: readonly string[];
  readonly userIds: readonly string[];
}

/** A report, and a member who may see it. */
interface Viewer {
  readonly reportId: string;
  readonly userId: string;
  /** Whether the member meets what the organization requires to sign in. */
  readonly meetsRequirements: boolean;
}

const viewers = prepare((db, p: Viewers) =>
  db
    .selectFrom('reports')
    .innerJoin('members', 'members.organization_id', 'reports.organization_id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('session_policies', 'session_policies.organization_id', 'members.organization_id')
    .select([
      'reports.id as reportId',
      'members.user_id as userId',
      // A service account is the act of an admin. The directory that vouches for a person decides about second factors, too.
      sql<number>`case when users.is_service_account = 1 or members.directory_sign_in_at is not null
        or (organizations.require_sso = 0 and ${lacksSecondFactor} = 0) then 1 else 0 end`.as('meets'),
    ])
    .where('reports.organization_id', '=', p.organizationId)
    .where('reports.id', 'in', p.reportIds)
    .where('reports.deleted_at', 'is', null)
    .where('members.user_id', 'in', p.userIds)
    .where('users.disabled_at', 'is', null)
    .where(mayOnRecord('report', 'report.view', memberId)),
);

const memberId = expressionBuilder<Tables, 'members'>().ref('members.user_id');

/** Returns who of some people may see which of some reports in use. Neither former members nor disabled accounts may see any. */
export async function selectViewers(reader: Reader, input: Viewers): Promise<Viewer[]> {
  const rows = await reader.all(viewers, input);
  return rows.map(({ meets, ...viewer }) => ({ ...viewer, meetsRequirements: meets === 1 }));
}
