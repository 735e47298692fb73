import { Readable } from 'node:stream';
import type { AtriumDocument } from '#contract/records/documents.ts';
import * as contract from '#contract/records/documents.ts';
import type { AccessLog } from '../../access-log/access-log.ts';
import type { Clock } from '../../base/clock.ts';
import { keyOfPerson, type LimitKey } from '../../base/tenant.ts';
import { nextTurn } from '../../base/turns.ts';
import type { Serve } from '../../http/serve.ts';
import type { Database } from '../../storage/database.ts';
import { exportDashboards } from './export.ts';
import { importDashboards } from './import.ts';

export function serveDashboardDocuments(
  serve: Serve,
  {
    database,
    clock,
    accessLog,
  }: { readonly database: Database; readonly clock: Clock; readonly accessLog: AccessLog },
): void {
  serve(contract.exportDashboards, async ({ actor, params, query }, reply) => {
    const documents = await exportDashboards(database, actor, params.orgId, {
      everyReport: query.reports === 'all',
    });
    await accessLog.record({ action: 'dashboards.exported', actor, organizationId: params.orgId });
    reply.header('content-disposition', 'attachment; filename="dashboards.ndjson"');
    return Readable.from(toLines(keyOfPerson(actor.userId), documents), { objectMode: false });
  });

  serve(contract.importDashboards, async ({ actor, params, query, body }) => ({
    items: await importDashboards(database, clock, actor, {
      organizationId: params.orgId,
      documents: body.documents,
      folderId: query.folderId,
      expected: body.expected,
      isDryRun: query.dryRun === 'true',
    }),
  }));
}

const chunkLength = 64 * 1024;

/** Yields lines in chunks, and lets other work run between them, since the embedded database never waits. */
async function* toLines(key: LimitKey, documents: AsyncIterable<AtriumDocument>): AsyncGenerator<string> {
  let lines = '';
  for await (const document of documents) {
    lines += `${JSON.stringify(document)}\n`;
    if (lines.length < chunkLength) continue;
    yield lines;
    lines = '';
    await nextTurn(key);
  }
  if (lines !== '') yield lines;
}
