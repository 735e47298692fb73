import type { AuditEntry } from '#contract/organizations/audit.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import type { Actor } from '../base/actor.ts';
import { parseTime, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { insertAuditEntry, selectAuditEntries } from './store.ts';

/** One thing that happens, to be written down. */
export interface AuditRecord {
  readonly organizationId: string;
  readonly action: AuditAction;
  /** Who did it; left out: the server or its operator. */
  readonly actor?: Pick<Actor, 'userId'> & Partial<Pick<Actor, 'sessionId'>>;
  /** What a reader needs to understand it. Never a secret, a token or a code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes down what happened, in the transaction in which it happens. Entries are never changed or removed. */
export async function recordAudit(
  transaction: Transaction,
  clock: Clock,
  { organizationId, action, actor, details = {} }: AuditRecord,
): Promise<void> {
  await insertAuditEntry(transaction, {
    id: newId(),
    organizationId,
    at: timestamp(clock()),
    action,
    actorId: actor?.userId ?? null,
    sessionId: actor?.sessionId ?? null,
    details: JSON.stringify(details, shortened),
  });
}

/** A page has up to 200 entries, and the export is read 500 at a time, so that none may be as large as a body. */
const longestText = 1_000;
const longestList = 100;

/** Ends what is too long with how much more there was (a replacer of `JSON.stringify`). */
function shortened(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) {
    return `${value.slice(0, longestText).toWellFormed()}… (${value.length - longestText} more characters)`;
  }
  if (Array.isArray(value) && value.length > longestList) {
    return [...(value as unknown[]).slice(0, longestList), `… (${value.length - longestList} more)`];
  }
  return value;
}

/** `from` and `to` are RFC 3339. */
export interface AuditFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
}

/**
 * Lists the entries of an organization, newest first. Whether the reader may is asked before. Throws
 * `invalid_parameters` for a time that there is not.
 */
export async function listAuditEntries(
  reader: Reader,
  organizationId: string,
  { from, to, actorId, action }: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const scope = {
    organizationId,
    from: from === undefined ? undefined : toTimestamp('from', from),
    to: to === undefined ? undefined : toTimestamp('to', to),
    actorId,
    action,
  };
  const rows = await selectAuditEntries(reader, scope, page);
  return toPage(rows, page, ({ id }) => id);
}

/** In the one form that entries have, by which they are compared. */
function toTimestamp(name: string, text: string): string {
  const timeMs = parseTime(text);
  if (timeMs !== undefined) return timestamp(timeMs);
  const fault = { pointer: `/${name}`, code: 'time', message: 'must be an RFC 3339 date or time' };
  throw new AtriumError('invalid_parameters', `There is no such time: ${name}.`, { faults: [fault] });
}
