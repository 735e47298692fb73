import type { AuditEntry } from '#contract/organizations/audit.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import type { PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface Row {
  id: string;
  organizationId: string;
  at: string;
  action: AuditAction;
  actorId: string | null;
  sessionId: string | null;
  details: string;
}

const insert = prepare((sql, p: Row) =>
  sql.insertInto('audit_entries').values({
    id: p.id,
    organization_id: p.organizationId,
    at: p.at,
    action: p.action,
    actor_id: p.actorId,
    session_id: p.sessionId,
    details: p.details,
  }),
);

/** What an entry must be; the widest bounds and `%` stand for no bound. */
export interface AuditScope {
  organizationId: string;
  from: string;
  to: string;
  /** `%`: anybody. */
  actorId: string;
  /** `%`: any action. */
  action: string;
}

const list = prepare((sql, p: AuditScope & { before: string; limit: number }) =>
  sql
    .selectFrom('audit_entries')
    .leftJoin('users', 'users.id', 'audit_entries.actor_id')
    .select([
      'audit_entries.id',
      'audit_entries.at',
      'audit_entries.action',
      'audit_entries.actor_id as actorId',
      'users.email as actorEmail',
      'users.is_email_verified as isActorVerified',
      'audit_entries.details',
    ])
    .where('audit_entries.organization_id', '=', p.organizationId)
    .where('audit_entries.id', '<', p.before)
    .where('audit_entries.at', '>=', p.from)
    .where('audit_entries.at', '<', p.to)
    .where((where) =>
      where.or([where(where.val(p.actorId), '=', '%'), where('audit_entries.actor_id', '=', p.actorId)]),
    )
    .where((where) =>
      where.or([where(where.val(p.action), '=', '%'), where('audit_entries.action', '=', p.action)]),
    )
    .orderBy('audit_entries.id', 'desc')
    .limit(p.limit),
);

export const insertAuditEntry = (transaction: Transaction, row: Row): Promise<number> =>
  transaction.run(insert, row);

/** Returns up to one more than the page has, newest first. */
export async function selectAuditEntries(
  reader: Reader,
  scope: AuditScope,
  page: PageRequest,
): Promise<AuditEntry[]> {
  const rows = await reader.all(list, { ...scope, before: page.after ?? '~', limit: page.limit + 1 });
  return rows.map(({ id, at, action, actorId, actorEmail, isActorVerified, details }) => ({
    id,
    at,
    // Sound because only `insertAuditEntry` writes the columns.
    action: action as AuditAction,
    ...(actorId !== null && { actorId }),
    ...(actorEmail !== null && { actorEmail }),
    ...(isActorVerified === 0 && { actorEmailVerified: false }),
    details: JSON.parse(details) as Record<string, unknown>,
  }));
}
