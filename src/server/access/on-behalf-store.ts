import { expressionBuilder } from 'kysely';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { mayOnRecord } from './filter.ts';
import { meetsSignInRequirements } from './sign-in-requirements.ts';

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
    .select(['reports.id as reportId', 'members.user_id as userId', meetsSignInRequirements.as('meets')])
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
