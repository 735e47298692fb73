import { Readable } from 'node:stream';
import type { AuditEntry } from '#contract/organizations/audit.ts';
import * as contract from '#contract/organizations/audit.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import { listAuditEntries, type AuditFilter } from '../../audit/audit.ts';
import { eachPage, type FirstRows, pageRequest } from '../../base/paging.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
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
    const first = await readPage(reader, params.orgId, query);
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
  after?: string,
): Promise<FirstRows<AuditEntry>> => {
  const { items, nextCursor } = await listAuditEntries(reader, organizationId, filter, {
    limit: pageSize,
    after,
  });
  return { rows: items, hasMore: nextCursor !== undefined };
};

/** Reads page by page, at the speed of the client. */
async function* exportLines(
  reader: Reader,
  organizationId: string,
  filter: AuditFilter,
  first: FirstRows<AuditEntry>,
): AsyncGenerator<string> {
  const read = async (last?: AuditEntry) =>
    last === undefined ? first : readPage(reader, organizationId, filter, last.id);
  for await (const entries of eachPage(keyOfOrganization(organizationId), read))
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
