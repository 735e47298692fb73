import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { pagedByOrganization, type PageOfOrganization, type PersonScope } from './paged.ts';

/** What the person did. The details can be about others, except for these actions. */
const aboutThemselves = /^(sign_in|account)\./;

const audit = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('audit_entries')
      .select(['id', 'organization_id as organizationId', 'at', 'action', 'details'])
      .where('actor_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export async function* readAudit(reader: Reader, scope: PersonScope): AsyncGenerator<object> {
  for await (const { details, ...entry } of audit(reader, scope))
    yield aboutThemselves.test(entry.action) ? { ...entry, details: JSON.parse(details) as object } : entry;
}

export const readAccess = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('access_entries')
      .select([
        'id',
        'organization_id as organizationId',
        'at',
        'last_at as lastAt',
        'action',
        'count',
        'subject_id as subjectId',
        'token_id as tokenId',
      ])
      .where('actor_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);
