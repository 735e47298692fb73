import type { AuditEntry } from '#contract/organizations/audit.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { requireTimestamp } from '../base/times.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** Something that happened, to be recorded. */
export interface AuditRecord {
  readonly organizationId: string;
  readonly action: AuditAction;
  /** The person who did it; absent if it was the server or its operator. */
  readonly actor?: Pick<Actor, 'userId'> & Partial<Pick<Actor, 'credential'>>;
  /** What a reader needs to understand it. Never a secret, a token or a code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A row of `audit_entries` before it is written. */
interface NewEntry {
  id: string;
  organizationId: string;
  at: string;
  action: AuditAction;
  actorId: string | null;
  sessionId: string | null;
  details: string;
}

const insert = prepare((sql, p: NewEntry) =>
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

/** Records what happened, in the transaction in which it happens. Entries are never changed or removed. */
export async function recordAudit(
  transaction: Transaction,
  clock: Clock,
  { organizationId, action, actor, details = {} }: AuditRecord,
): Promise<void> {
  const credential = actor?.credential;
  await transaction.run(insert, {
    id: newId(),
    organizationId,
    at: timestamp(clock()),
    action,
    actorId: credential?.kind === 'operator' ? null : (actor?.userId ?? null),
    sessionId: credential?.kind === 'session' ? credential.id : null,
    details: JSON.stringify(
      { ...details, ...(credential?.kind === 'token' && { byToken: credential.id }) },
      shortened,
    ),
  });
}

/** A page has up to 200 entries, and the export reads 500 at a time, so none may be as large as a body. */
const longestText = 1_000;
const longestList = 100;

/** Replaces the end of a long value by how much more there was (a replacer of `JSON.stringify`). */
function shortened(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) {
    return `${value.slice(0, longestText).toWellFormed()}… (${value.length - longestText} more characters)`;
  }
  if (Array.isArray(value) && value.length > longestList) {
    return [...(value as unknown[]).slice(0, longestList), `… (${value.length - longestList} more)`];
  }
  return value;
}

/** Which entries to list; an undefined time is unbounded. */
interface Scope {
  readonly organizationId: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly actorId: string | undefined;
  readonly action: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

const list = prepare((sql, p: Scope) => {
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

/** `from` and `to` are RFC 3339. */
export interface AuditFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
}

/**
 * Lists the entries of an organization, newest first. The caller checks that the reader may see them. Throws
 * `invalid_parameters` for a time that doesn't exist, such as the 30th of February.
 */
export async function listAuditEntries(
  reader: Reader,
  organizationId: string,
  { from, to, actorId, action }: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const rows = await reader.page(list, {
    organizationId,
    from: from === undefined ? undefined : requireTimestamp('from', from),
    to: to === undefined ? undefined : requireTimestamp('to', to),
    actorId,
    action,
    before: page.after,
    limit: page.limit,
  });
  return toPage(mapRows(rows, toEntry), ({ id }) => id);
}

interface Row {
  id: string;
  at: string;
  action: string;
  actorId: string | null;
  actorEmail: string | null;
  isActorVerified: number | null;
  details: string;
}

const toEntry = ({ id, at, action, actorId, actorEmail, isActorVerified, details }: Row): AuditEntry => ({
  id,
  at,
  // Sound because only `recordAudit` writes the columns.
  action: action as AuditAction,
  ...(actorId !== null && { actorId }),
  ...(actorEmail !== null && { actorEmail }),
  ...(isActorVerified === 0 && { actorEmailVerified: false }),
  details: JSON.parse(details) as Record<string, unknown>,
});
