import { Readable } from 'node:stream';
import type { AuditEntry } from '#contract/organizations/audit.ts';
import * as contract from '#contract/organizations/audit.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { listAuditEntries, type AuditFilter } from '../../audit/audit.ts';
import { pageRequest } from '../../base/paging.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { requirePermission } from '../authorization.ts';

/** Serves the audit log of an organization to its owners and admins: in pages, and as an export. */
export function serveAudit(
  serve: Serve,
  { database, accessLog }: { readonly database: Database; readonly accessLog: AccessLog },
): void {
  serve(contract.listAudit, async ({ actor, params, query }) => {
    await requirePermission(database, actor, params.orgId, 'audit.view');
    return listAuditEntries(await database.findReader(), params.orgId, query, pageRequest(query));
  });

  serve(contract.exportAudit, async ({ actor, params, query }, reply) => {
    await requirePermission(database, actor, params.orgId, 'audit.view');
    // Read first, so that a bad request gets an error instead of an empty file.
    const reader = await database.findReader();
    const first = await readPage(reader, params.orgId, query, undefined);
    await accessLog.record({ action: 'audit_log.exported', actor, organizationId: params.orgId });
    reply.header('content-disposition', 'attachment; filename="audit.ndjson"');
    return Readable.from(exportLines(reader, params.orgId, query, first), { objectMode: false });
  });
}

const pageSize = 500;

const readPage = async (
  reader: Reader,
  organizationId: string,
  filter: AuditFilter,
  after: string | undefined,
): Promise<AuditEntry[]> =>
  (await listAuditEntries(reader, organizationId, filter, { limit: pageSize, after })).items;

/** Reads page by page, at the speed of the client. */
async function* exportLines(
  reader: Reader,
  organizationId: string,
  filter: AuditFilter,
  first: AuditEntry[],
): AsyncGenerator<string> {
  for (let entries = first; entries.length > 0;) {
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    if (entries.length < pageSize) return;
    entries = await readPage(reader, organizationId, filter, entries.at(-1)?.id);
  }
}
