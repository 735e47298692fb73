import { Readable } from 'node:stream';
import type { AuditEntry } from '#contract/audit.ts';
import * as contract from '#contract/audit.ts';
import { listAuditEntries, type AuditFilter } from '../audit/audit.ts';
import { pageRequest } from '../base/paging.ts';
import type { Serve } from '../http/serve.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireRole } from './members.ts';

export function serveAudit(serve: Serve, { database }: { readonly database: Database }): void {
  serve(contract.listAudit, async ({ actor, params, query }) => {
    await requireRole(database, actor, params.orgId, 'admin');
    return listAuditEntries(database, params.orgId, query, pageRequest(query));
  });

  serve(contract.exportAudit, async ({ actor, params, query }, reply) => {
    await requireRole(database, actor, params.orgId, 'admin');
    reply.header('content-disposition', 'attachment; filename="audit.ndjson"');
    return Readable.from(exportLines(database, params.orgId, query), { objectMode: false });
  });
}

/** Reads page by page, as fast as the client takes it. */
async function* exportLines(
  reader: Reader,
  organizationId: string,
  filter: AuditFilter,
): AsyncGenerator<string> {
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page: { items: AuditEntry[] } = await listAuditEntries(reader, organizationId, filter, {
      limit: 500,
      after,
    });
    yield page.items.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    after = page.items.length === 500 ? page.items.at(-1)?.id : undefined;
  }
}
