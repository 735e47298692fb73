import type { LogEntry } from '#contract/organizations/log-stream.ts';
import { eachRow } from '../base/paging.ts';
import { keyOfOrganization } from '../base/tenant.ts';
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
  yield* eachRow(keyOfOrganization(organizationId), (last?: LogEntry) =>
    readEntries(reader, log, { organizationId, from: (last?.sequence ?? -1) + 1, limit: pageSize }),
  );
}

/** Yields what the data-access log counts at the moment, which is not in the chain yet. */
export async function* readOpenCounts(reader: Reader, organizationId: string): AsyncGenerator<object> {
  const read = (last?: { readonly id: string }) =>
    selectOpenAccess(reader, { organizationId, after: last?.id ?? '', limit: pageSize });
  for await (const { details, ...row } of eachRow(keyOfOrganization(organizationId), read))
    // Sound because only the log writes the column.
    yield { log: 'access', ...row, details: JSON.parse(details) as unknown };
}
