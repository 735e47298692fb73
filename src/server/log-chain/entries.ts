import type { LogEntry } from '#contract/organizations/log-stream.ts';
import type { AccessAction } from '#shared/access-actions.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { type FirstRows, mapRows } from '../base/paging.ts';
import type { Reader } from '../storage/database.ts';
import type { AccessRow, AuditRow, Log, Sealed, SealedDetails } from './rows.ts';
import { selectSealedAccess, selectSealedAudit, type ChainPage } from './store.ts';

/** How many entries are read at once. */
const pageSize = 200;
/** After how many bytes a batch ends, even if it could have more entries. */
const maxBatchBytes = 8 * 1024 ** 2;

/** Yields entries after a number in order, as NDJSON, at the speed of the client: at most `limit`, and at most 8 MiB and a page. */
export async function* readLines(
  reader: Reader,
  {
    organizationId,
    log,
    after,
    limit,
  }: { readonly organizationId: string; readonly log: Log; readonly after: number; readonly limit: number },
): AsyncGenerator<string> {
  let from = after + 1;
  let left = limit;
  let bytes = 0;
  while (left > 0 && bytes < maxBatchBytes) {
    const page = { organizationId, from, limit: Math.min(left, pageSize) };
    const { rows: entries, hasMore } = await readEntries(reader, log, page);
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const last = entries.at(-1);
    if (last === undefined) return;
    yield lines;
    if (!hasMore) return;
    from = last.sequence + 1;
    left -= entries.length;
    bytes += lines.length;
  }
}

/** Returns the entries of a chain from a number on, in order. */
export const readEntries = async (reader: Reader, log: Log, page: ChainPage): Promise<FirstRows<LogEntry>> =>
  log === 'audit'
    ? mapRows(await selectSealedAudit(reader, page), toAuditEntry)
    : mapRows(await selectSealedAccess(reader, page), toAccessEntry);

/** Sound casts, here and below, because only the logs write the columns. */
export const toAuditEntry = ({
  details,
  hash,
  action,
  ...row
}: AuditRow & Sealed & SealedDetails): LogEntry => ({
  log: 'audit',
  ...row,
  action: action as AuditAction,
  hash: hash ?? '',
  details: JSON.parse(details) as Record<string, unknown>,
});

export const toAccessEntry = ({ details, hash, action, ...row }: AccessRow & Sealed): LogEntry => ({
  log: 'access',
  ...row,
  action: action as AccessAction,
  hash: hash ?? '',
  details: JSON.parse(details) as Record<string, unknown>,
});
