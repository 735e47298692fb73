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

export const insertAuditEntry = (transaction: Transaction, row: Row): Promise<number> =>
  transaction.run(insert, row);

/** What an entry must be; undefined is no bound. */
export interface AuditScope {
  readonly organizationId: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly actorId: string | undefined;
  readonly action: string | undefined;
}

const list = prepare((sql, p: AuditScope & { before: string | undefined; limit: number }) => {
  let entries = sql
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
    .orderBy('audit_entries.id', 'desc')
    .limit(p.limit);
  if (p.before !== undefined) entries = entries.where('audit_entries.id', '<', p.before);
  if (p.from !== undefined) entries = entries.where('audit_entries.at', '>=', p.from);
  if (p.to !== undefined) entries = entries.where('audit_entries.at', '<', p.to);
  if (p.actorId !== undefined) entries = entries.where('audit_entries.actor_id', '=', p.actorId);
  if (p.action !== undefined) entries = entries.where('audit_entries.action', '=', p.action);
  return entries;
});

/** Returns up to one more than the page has, newest first. */
export async function selectAuditEntries(
  reader: Reader,
  scope: AuditScope,
  page: PageRequest,
): Promise<AuditEntry[]> {
  const rows = await reader.all(list, { ...scope, before: page.after, limit: page.limit + 1 });
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
