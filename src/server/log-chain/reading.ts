import type { LogEntry } from '#contract/organizations/log-stream.ts';
import type { Reader } from '../storage/database.ts';
import { readEntries } from './entries.ts';
import type { ChainKey } from './rows.ts';
import { selectOpenAccess } from './store.ts';

const pageSize = 500;

/** Yields every entry of a chain in order, up to its end, in pages. */
export async function* readChain(
  reader: Reader,
  { organizationId, log }: ChainKey,
): AsyncGenerator<LogEntry> {
  for (let from = 0; ;) {
    const entries = await readEntries(reader, log, { organizationId, from, limit: pageSize });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < pageSize) return;
    from = last.sequence + 1;
  }
}

/** Yields what the data-access log counts at the moment, which is not in the chain yet. */
export async function* readOpenCounts(reader: Reader, organizationId: string): AsyncGenerator<object> {
  for (let after = ''; ;) {
    const rows = await selectOpenAccess(reader, { organizationId, after, limit: pageSize });
    for (const { details, ...row } of rows)
      // Sound because only the log writes the column.
      yield { log: 'access', ...row, details: JSON.parse(details) as unknown };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}
