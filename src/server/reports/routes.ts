import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import * as contract from '#contract/reports/reports.ts';
import * as runRoutes from '#contract/reports/runs.ts';
import { createReportInFolder } from '#contract/records/folder-items.ts';
import { reportSharing } from '#contract/records/sharing.ts';
import { reportTrash } from '#contract/records/trash.ts';
import { reportVersions } from '#contract/records/versions.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { pageRequest } from '../base/paging.ts';
import { attachment } from '../http/response/attachment.ts';
import { selectRange } from '../http/response/ranges.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { editRecord } from '../records/edit.ts';
import { respondToEdit, serveRecords } from '../records/routes.ts';
import { moveToTrash } from '../records/trash.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import { readExpected, requirePrecondition } from '../http/request/preconditions.ts';
import { whileSilent } from '../http/limits/idle-connections.ts';
import { JsonStream, JsonText, type Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { listParameterValues } from './runs/allowed-values.ts';
import { toResultJson, type ReportRun } from './runs/result-json.ts';
import { downloadReport, exportReport, previewReport, runReport, type RunDependencies } from './runs/runs.ts';
import { requireReport } from './access.ts';
import { toContent } from './content.ts';
import type { ReportKind } from './kind.ts';
import { toReport, type StoredReport } from './store.ts';
import {
  addReport,
  addReportInFolder,
  listReports,
  listReportUses,
  requireUnused,
  type FindUses,
} from './reports.ts';

export function serveReports(
  serve: Serve,
  dependencies: RunDependencies & {
    readonly database: Database;
    readonly clock: Clock;
    readonly findUses: FindUses;
    readonly kind: ReportKind;
    readonly createOnce: CreateOnce;
  },
): void {
  const { database, clock, kind, createOnce } = dependencies;
  serve(runRoutes.runReport, async ({ actor, params, query, body, headers }, reply) => {
    const options = { ...body, signal: clientSignal(reply) };
    const format = tableFormatOf(headers);
    if (format === undefined)
      return toReplyBody(
        await whileSilent(reply, () => runReport(dependencies, actor, params.reportId, options)),
      );
    const { name, body: file } = await whileSilent(reply, () =>
      exportReport(
        dependencies,
        actor,
        params.reportId,
        format === 'csv' && query.csv === 'spreadsheet' ? 'spreadsheet-csv' : format,
        options,
      ),
    );
    reply.type(format === 'csv' ? csvType : parquetType);
    reply.header('content-disposition', attachment(name, format));
    return file;
  });
  serve(runRoutes.downloadReport, async ({ actor, params, query, headers }, reply) => {
    const options = {
      texts: query as Readonly<Record<string, string | string[]>>,
      signal: clientSignal(reply),
    };
    const { name, body } = await whileSilent(reply, () =>
      downloadReport(dependencies, actor, params.reportId, options),
    );
    reply.type(csvType).header('content-disposition', attachment(name, 'csv'));
    return Buffer.isBuffer(body) ? selectRange(headers, reply, body) : body;
  });
  serve(runRoutes.previewReport, async ({ actor, body }, reply) => {
    const { organizationId, dataSourceId, query, parameters, visualization, values } = body;
    const content = toContent({
      name: 'Preview',
      dataSourceId,
      query,
      ...(parameters && { parameters }),
      ...(visualization && { visualization }),
    });
    const options = { parameters: values, pointer: '/values', signal: clientSignal(reply) };
    return toReplyBody(
      await whileSilent(reply, () =>
        previewReport(dependencies, actor, { organizationId, content }, options),
      ),
    );
  });
  serve(runRoutes.drillReport, async ({ actor, params, headers, body }, reply) => {
    const request = { ...body, signal: clientSignal(reply) };
    const { drillReport, exportDrill } = await import('./drill/drill.ts');
    if (tableFormatOf(headers, ['text/csv']) === undefined)
      return toReplyBody(
        await whileSilent(reply, () => drillReport(dependencies, actor, params.reportId, request)),
      );
    const { name, body: file } = await whileSilent(reply, () =>
      exportDrill(dependencies, actor, params.reportId, request),
    );
    reply.type(csvType).header('content-disposition', attachment(name, 'csv'));
    return file;
  });
  serve(runRoutes.listParameterValues, async ({ actor, params, query }, reply) => {
    // Sound because the contract allows only texts and lists of them.
    const texts = query as Readonly<Record<string, string | string[]>>;
    const values = await whileSilent(reply, () =>
      listParameterValues(dependencies, actor, { ...params, texts }, clientSignal(reply)),
    );
    return values === undefined ? {} : { items: [...values] };
  });
  const create = (
    reply: FastifyReply,
    actor: Actor,
    add: (transaction: Transaction) => Promise<StoredReport>,
  ) =>
    createOnce<StoredReport, contract.Report>(reply, actor, {
      create: add,
      respond: (report) => toReply(report, reply),
      requireReadable: (reader, id) => requireReport(reader, actor, id),
    });
  serve(contract.createReport, ({ actor, body }, reply) =>
    create(reply, actor, (transaction) => addReport(transaction, clock, actor, body)),
  );
  serve(createReportInFolder, ({ actor, params: { folderId }, body }, reply) =>
    create(reply, actor, (transaction) => addReportInFolder(transaction, clock, actor, folderId, body)),
  );
  serve(contract.getReport, async ({ actor, params }, reply) =>
    toReply(await requireReport(database, actor, params.reportId), reply),
  );
  serve(contract.listReports, ({ actor, query }) => listReports(database, actor, query, pageRequest(query)));
  serve(contract.replaceReport, async ({ actor, params, headers, body }, reply) => {
    const expected = requirePrecondition(headers);
    const input = { id: params.reportId, expected, body, draft: () => toContent(body) };
    return respondToEdit(await editRecord(dependencies, actor, kind, input), reply, toReply);
  });
  serve(contract.deleteReport, async ({ actor, params, headers, query }) => {
    if (query.force !== 'true') await requireUnused(dependencies, actor, params.reportId);
    await moveToTrash(dependencies, actor, kind, { id: params.reportId, expected: readExpected(headers) });
    return undefined;
  });
  serve(contract.listReportUses, async ({ actor, params }) => {
    const { dashboards, dashboardCount } = await listReportUses(dependencies, actor, params.reportId);
    return { items: dashboards, totalCount: dashboardCount };
  });
  const operations = { versions: reportVersions, sharing: reportSharing, trash: reportTrash };
  serveRecords(serve, dependencies, kind, operations, toReply);
}

function toReplyBody(run: ReportRun): JsonText<runRoutes.ReportResult> | JsonStream<runRoutes.ReportResult> {
  const json = toResultJson(run);
  return typeof json === 'string' ? new JsonText(json) : new JsonStream(json);
}

const csvType = 'text/csv; charset=utf-8; header=present';
const parquetType = 'application/vnd.apache.parquet';

/** Returns the file format that a request prefers to JSON (RFC 9110, section 12.5.1), or undefined if it prefers JSON. */
function tableFormatOf(
  headers: { readonly accept?: string },
  types: readonly string[] = ['text/csv', parquetType],
): 'csv' | 'parquet' | undefined {
  const type = new Negotiator({ headers }).mediaType(['application/json', ...types]);
  if (type === 'text/csv') return 'csv';
  return type === parquetType ? 'parquet' : undefined;
}

function toReply(report: StoredReport, reply: FastifyReply): contract.Report {
  reply.header('etag', etagOf(report));
  return toReport(report);
}
