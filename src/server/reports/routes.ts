import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import * as contract from '#contract/reports/reports.ts';
import { reportTrash } from '#contract/trash.ts';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { pageRequest } from '../base/paging.ts';
import { attachment } from '../http/response/attachment.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { versionKey } from '../records/history.ts';
import { trashKey } from '../records/trash.ts';
import { etagOf } from '../http/response/entity-tags.ts';
import { readExpected, requirePrecondition } from '../http/request/preconditions.ts';
import { whileSilent } from '../http/limits/idle-connections.ts';
import { JsonStream, JsonText, type Serve } from '../http/serve.ts';
import type { CreateOnce } from '../idempotency/idempotency.ts';
import type { Database } from '../storage/database.ts';
import { listDeletedReports, purgeReport, restoreDeletedReport } from './trash.ts';
import { replaceReport, type ReportEditOutcome } from './editing.ts';
import {
  compareReportVersions,
  getReportVersion,
  listReportVersions,
  restoreReportVersion,
} from './history.ts';
import { listParameterValues } from './allowed-values.ts';
import { toResultJson, type ReportRun } from './result-json.ts';
import { exportReport, previewReport, runReport, type RunDependencies } from './runs.ts';
import { toContent } from './content.ts';
import { toReport, type StoredReport } from './store.ts';
import {
  addReport,
  deleteReport,
  getReport,
  listReports,
  listReportUses,
  type FindUses,
  type Renamed,
} from './reports.ts';

export function serveReports(
  serve: Serve,
  needs: RunDependencies & {
    readonly database: Database;
    readonly clock: Clock;
    readonly findUses: FindUses;
    readonly renamed: Renamed;
    readonly createOnce: CreateOnce;
  },
): void {
  const { database, clock, createOnce } = needs;
  serve(contract.runReport, async ({ actor, params, query, body, headers }, reply) => {
    const options = { ...body, signal: clientSignal(reply) };
    const format = tableFormatOf(headers);
    if (format === undefined)
      return toReplyBody(await whileSilent(reply, () => runReport(needs, actor, params.reportId, options)));
    const { name, body: file } = await whileSilent(reply, () =>
      exportReport(
        needs,
        actor,
        params.reportId,
        format === 'csv' && query.csv === 'spreadsheet' ? 'spreadsheet-csv' : format,
        options,
      ),
    );
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8; header=present' : parquetType);
    reply.header('content-disposition', attachment(name, format));
    return file;
  });
  serve(contract.previewReport, async ({ actor, body }, reply) => {
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
      await whileSilent(reply, () => previewReport(needs, actor, { organizationId, content }, options)),
    );
  });
  serve(contract.listParameterValues, async ({ actor, params }, reply) => {
    const values = await whileSilent(reply, () =>
      listParameterValues(needs, actor, params, clientSignal(reply)),
    );
    return values === undefined ? {} : { values: [...values] };
  });
  serve(contract.createReport, ({ actor, body }, reply) =>
    createOnce<StoredReport, contract.Report>(reply, actor, {
      create: (transaction) => addReport(transaction, clock, actor, body),
      respond: (report) => toReply(report, reply),
      requireReadable: (reader, id) => getReport(reader, actor, id),
    }),
  );
  serve(contract.getReport, async ({ actor, params }, reply) =>
    toReply(await getReport(database, actor, params.reportId), reply),
  );
  serve(contract.listReports, ({ actor, query }) => listReports(database, actor, query, pageRequest(query)));
  serve(contract.replaceReport, async ({ actor, params, headers, body }, reply) => {
    const input = { id: params.reportId, expected: requirePrecondition(headers), edit: body };
    return toEditReply(await replaceReport(needs, actor, input), reply);
  });
  serve(contract.deleteReport, async ({ actor, params, headers, query }) => {
    const input = { id: params.reportId, expected: readExpected(headers), isForced: query.force === 'true' };
    await deleteReport(needs, actor, input);
    return undefined;
  });
  serve(contract.listReportUses, ({ actor, params }) => listReportUses(needs, actor, params.reportId));
  serve(contract.listReportVersions, ({ actor, params, query }) =>
    listReportVersions(database, actor, params.reportId, pageRequest(query, versionKey)),
  );
  serve(contract.getReportVersion, ({ actor, params }) =>
    getReportVersion(database, actor, params.reportId, Number(params.version)),
  );
  serve(contract.restoreReportVersion, async ({ actor, params, headers }, reply) => {
    const input = { id: params.reportId, version: Number(params.version), expected: readExpected(headers) };
    return toReply(await restoreReportVersion(needs, actor, input), reply);
  });
  serve(contract.compareReportVersions, async ({ actor, params, query }) => {
    const versions = { from: Number(query.from), to: query.to === undefined ? undefined : Number(query.to) };
    return { changes: await compareReportVersions(database, actor, params.reportId, versions) };
  });
  serve(reportTrash.list, ({ actor, query }) =>
    listDeletedReports(database, actor, query.organizationId, pageRequest(query, trashKey)),
  );
  serve(reportTrash.restore, async ({ actor, params }, reply) =>
    toReply(await restoreDeletedReport(needs, actor, params.id), reply),
  );
  serve(reportTrash.purge, async ({ actor, params }) => {
    await purgeReport(database, clock, actor, params.id);
    return undefined;
  });
}

function toReplyBody(run: ReportRun): JsonText<contract.ReportResult> | JsonStream<contract.ReportResult> {
  const json = toResultJson(run);
  return typeof json === 'string' ? new JsonText(json) : new JsonStream(json);
}

const parquetType = 'application/vnd.apache.parquet';

/** Returns the format of the file that a request prefers to JSON (RFC 9110, section 12.5.1); undefined for JSON. */
function tableFormatOf(headers: { readonly accept?: string }): 'csv' | 'parquet' | undefined {
  const type = new Negotiator({ headers }).mediaType(['application/json', 'text/csv', parquetType]);
  if (type === 'text/csv') return 'csv';
  return type === parquetType ? 'parquet' : undefined;
}

function toEditReply(outcome: ReportEditOutcome, reply: FastifyReply): contract.Report {
  if (outcome.kind === 'stored') {
    if (outcome.isMerged) reply.header('atrium-merged', 'true');
    return toReply(outcome.report, reply);
  }
  const { report, merged, conflicts } = outcome;
  throw new AtriumError(
    'edit_conflict',
    'Since the version that you have changed, others have changed the same. Nothing of yours is stored yet.',
    { extension: { etag: etagOf(report), current: toReport(report), merged, conflicts } },
  );
}

function toReply(report: StoredReport, reply: FastifyReply): contract.Report {
  reply.header('etag', etagOf(report));
  return toReport(report);
}
