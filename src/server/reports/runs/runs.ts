import type { Readable } from 'node:stream';
import type { ParameterValue } from '#contract/reports/reports.ts';
import { visualizationKinds } from '#contract/reports/visualizations.ts';
import { parameterValue } from '#shared/parameter-values.ts';
import { findColumnFaults } from '#shared/visualizations/fields.ts';
import type { Actor } from '../../base/actor.ts';
import { collect } from '../../base/collect.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { mayUseDataSource } from '../../data-sources/names.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { QueryEngine } from '../../engine/query-engine.ts';
import type { StreamFormat } from '../../engine/worker/messages.ts';
import { toQueryProblem } from '../../engine/problem.ts';
import type { ResultQuery } from '../../results/results.ts';
import { findModelsOfQuery, labelColumns } from '../../models/labels.ts';
import { requireReport } from '../access.ts';
import { listAllowedValues, noteRun, requireSource, type ResultDependencies } from './allowed-values.ts';
import { findContentFaults, noDataSource, type ReportContent } from '../content.ts';
import { asUrlError, resolveParameters } from './parameter-values.ts';
import type { ReportRun } from './result-json.ts';

export interface RunDependencies extends ResultDependencies {
  readonly engine: Pick<QueryEngine, 'stream'>;
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined;
  /** The pointer to the parameters in the body; `/parameters` by default. */
  readonly pointer?: string;
  /** Whether to query the source even if the cached result is fresh. */
  readonly isForced?: boolean | undefined;
  /** Aborted when the client disconnects. It identifies the request, in which equal queries run once. */
  readonly signal: AbortSignal;
}

type RunContent = Pick<
  ReportContent,
  'dataSourceId' | 'query' | 'structure' | 'parameters' | 'visualization' | 'cacheSeconds'
>;

/** A report whose query is run; it has an id if it is saved. */
interface QueriedReport {
  readonly id?: string;
  readonly organizationId: string;
  readonly content: RunContent;
}

/** Runs a report. Requires membership, which is checked before the cache is read. Throws the problems of queries. */
export async function runReport(
  dependencies: ResultDependencies,
  actor: Actor,
  reportId: string,
  options: RunOptions,
): Promise<ReportRun> {
  const report = await requireReport(dependencies.database, actor, reportId);
  noteRun(dependencies, actor, report);
  return runRequiredReport(dependencies, actor, report, options);
}

/** Runs a report that the actor is known to have access to. Throws the problems of queries. */
export async function runRequiredReport(
  dependencies: ResultDependencies,
  actor: Actor,
  report: QueriedReport,
  options: RunOptions,
): Promise<ReportRun> {
  const { visualization, cacheSeconds } = report.content;
  const query = await prepareQuery(dependencies, actor, report, options);
  const maxAgeMs = options.isForced === true ? 0 : cacheSeconds * 1_000;
  // Before the result, which has to be released if anything fails after it.
  const models = await findModelsOfQuery(dependencies.database, report.content);
  const result = await dependencies.getResult(query, { maxAgeMs, signal: options.signal });
  const { fields } = visualizationKinds[visualization.kind];
  return {
    result,
    faults: findColumnFaults(visualization, fields, result.columns),
    labels: labelColumns(report.content, models, result.columns),
  };
}

/** Returns all rows of a report as a stream, straight from the source, and its name. Requires membership. */
export async function exportReport(
  dependencies: RunDependencies,
  actor: Actor,
  reportId: string,
  format: StreamFormat,
  options: RunOptions,
): Promise<{ name: string; body: Readable }> {
  const report = await requireReport(dependencies.database, actor, reportId);
  return streamRequiredReport(dependencies, actor, report, format, options);
}

/** Like `exportReport`, for a report that the actor is known to have access to. */
export async function streamRequiredReport(
  dependencies: RunDependencies,
  actor: Actor,
  report: QueriedReport & { readonly id: string; readonly content: Pick<ReportContent, 'name'> },
  format: StreamFormat,
  options: RunOptions,
): Promise<{ name: string; body: Readable }> {
  const { source, requesterId, ...query } = await prepareQuery(dependencies, actor, report, options);
  const described = { source: await source.describe(), sourceId: source.id };
  const request = { ...query, ...described, requesterIds: [requesterId] };
  const body = await startStream(dependencies, request, format, options.signal);
  const { organizationId, id: subjectId } = report;
  try {
    const access = {
      action: 'report.exported',
      actor,
      organizationId,
      subjectId,
      details: { format },
    } as const;
    await dependencies.accessLog.record(access);
  } catch (error) {
    body.destroy();
    throw error;
  }
  return { name: report.content.name, body };
}

async function startStream(
  { engine }: RunDependencies,
  request: Parameters<QueryEngine['stream']>[0],
  format: StreamFormat,
  signal: AbortSignal,
): Promise<Readable> {
  try {
    return (await engine.stream(request, format, { signal })).body;
  } catch (error) {
    throw toQueryProblem(error);
  }
}

/** The largest file of which a part can be requested, since its version is known only at its end. */
const maxBufferedBytes = 8 * 1024 ** 2;

/**
 * Returns all rows of a report as CSV for a spreadsheet, with the values of its parameters as in a URL: as a buffer if
 * it is small, and otherwise as a stream. Requires membership. Throws `invalid_parameters` and the problems of queries.
 */
export async function downloadReport(
  dependencies: RunDependencies,
  actor: Actor,
  reportId: string,
  { texts, signal }: { texts: Readonly<Record<string, string | readonly string[]>>; signal: AbortSignal },
): Promise<{ name: string; body: Buffer | Readable }> {
  const { content } = await requireReport(dependencies.database, actor, reportId);
  const types = new Map(content.parameters.map(({ name, type }) => [name, type]));
  // An unknown parameter is reported with the others.
  const parameters = Object.fromEntries(
    Object.entries(texts).map(([name, given]) => [name, parameterValue(types.get(name) ?? 'text', given)]),
  );
  const options = { parameters, pointer: '', signal };
  try {
    const { name, body } = await exportReport(dependencies, actor, reportId, 'spreadsheet-csv', options);
    return { name, body: await collect(body, maxBufferedBytes) };
  } catch (error) {
    const problem = toQueryProblem(error);
    throw problem instanceof AtriumError ? asUrlError(problem) : problem;
  }
}

/** Runs an unsaved report. Requires the editor role or higher, and permission to query the data source. Throws `invalid_body` with every fault, and the problems of queries. */
export async function previewReport(
  dependencies: ResultDependencies,
  actor: Actor,
  { organizationId, content }: { organizationId: string; content: ReportContent },
  options: RunOptions,
): Promise<ReportRun> {
  const { database, findSource } = dependencies;
  await requirePermission(database, actor, organizationId, 'report.create');
  const faults = findContentFaults(content);
  const key = { organizationId, id: content.dataSourceId, userId: actor.userId };
  const source = (await mayUseDataSource(database, key))
    ? await findSource(database, organizationId, content.dataSourceId)
    : undefined;
  if (source === undefined) faults.unshift(noDataSource);
  if (faults.length > 0) throw invalidFaults(faults);
  const subjectId = content.dataSourceId;
  dependencies.accessLog.note({ action: 'data_source.queried', actor, organizationId, subjectId });
  return runRequiredReport(dependencies, actor, { organizationId, content }, { ...options, isForced: true });
}

/** Returns the query of a report with the values of its parameters. Throws `invalid_body`, and the problems of queries. */
export async function prepareQuery(
  dependencies: ResultDependencies,
  actor: Actor,
  { id: reportId, organizationId, content }: QueriedReport,
  { parameters: given = {}, pointer, isForced, signal }: RunOptions,
): Promise<ResultQuery> {
  const source = await requireSource(dependencies, organizationId, content.dataSourceId);
  const parameters = await resolveParameters(
    content.parameters,
    given,
    (parameter, values) =>
      listAllowedValues(
        dependencies,
        actor,
        { organizationId, content },
        { parameter, values, isForced: isForced === true, signal },
      ),
    pointer,
  );
  return { organizationId, requesterId: actor.userId, reportId, source, sql: content.query, parameters };
}
