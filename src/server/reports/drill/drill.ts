import type { Readable } from 'node:stream';
import type { ParameterValue } from '#contract/reports/reports.ts';
import type { Actor } from '../../base/actor.ts';
import { findDataSourceName, mayUseDataSource } from '../../data-sources/names.ts';
import { requireReport } from '../access.ts';
import { noteRun, type ResultDependencies } from '../runs/allowed-values.ts';
import { findUnknown } from '../runs/parameter-values.ts';
import type { ReportRun } from '../runs/result-json.ts';
import { runRequiredReport, streamRequiredReport, type RunDependencies } from '../runs/runs.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { rowsQuery, targetQuery, type Mark } from './query.ts';
import type { ReadableReport } from '../store.ts';
import { findVisibleColumns } from './visible-columns.ts';

export interface DrillRequest {
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined;
  readonly marks: readonly Mark[];
  /** The index of a target; undefined for the rows behind a built query. */
  readonly target?: number | undefined;
  readonly signal: AbortSignal;
}

/** Returns the rows behind marks of a report. Requires what `requireDrill` does. Throws the problems of queries. */
export async function drillReport(
  dependencies: ResultDependencies,
  actor: Actor,
  reportId: string,
  request: DrillRequest,
): Promise<ReportRun> {
  const { report, options } = await requireDrill(dependencies, actor, reportId, request);
  noteRun(dependencies, actor, report);
  return runRequiredReport(dependencies, actor, report, options);
}

/** Returns all rows behind marks of a report as CSV for spreadsheets, and the name of the report. */
export async function exportDrill(
  dependencies: RunDependencies,
  actor: Actor,
  reportId: string,
  request: DrillRequest,
): Promise<{ name: string; body: Readable }> {
  const { report, options } = await requireDrill(dependencies, actor, reportId, request);
  return streamRequiredReport(dependencies, actor, report, 'spreadsheet-csv', options);
}

/**
 * Returns the query of the rows behind marks, as a report. A target is what an author has published, so it requires
 * membership. The rows of tables require permission to edit the report and to query its data source, unless the report allows everyone to
 * see them, without the columns that are hidden in the models of the tables.
 */
async function requireDrill(
  { database }: ResultDependencies,
  actor: Actor,
  reportId: string,
  { parameters = {}, marks, target, signal }: DrillRequest,
): Promise<{
  report: Pick<ReadableReport, 'id' | 'organizationId' | 'content'>;
  options: { parameters: Readonly<Record<string, ParameterValue>>; signal: AbortSignal };
}> {
  const report = await requireReport(database, actor, reportId);
  const { id, organizationId, content } = report;
  const queried = { organizationId, id: content.dataSourceId, userId: actor.userId };
  const mayQuery = target !== undefined || (await mayUseDataSource(database, queried));
  if (target === undefined && content.drill?.rows !== 'everyone') {
    await requireReport(database, actor, reportId, 'edit');
    if (!mayQuery) throw new AtriumError('forbidden', 'You can’t query the data source of this report.');
  }
  const unknown = findUnknown(content.parameters, parameters, '/parameters');
  if (unknown.length > 0) throw invalidFaults(unknown);
  const source = await findDataSourceName(database, organizationId, content.dataSourceId);
  const { structure } = content;
  const columns =
    structure !== undefined && !mayQuery
      ? await findVisibleColumns(database, content.dataSourceId, structure)
      : undefined;
  const query =
    target === undefined
      ? rowsQuery(content, source?.kind, marks, columns)
      : targetQuery(content, content.drill?.targets?.[target], marks);
  // The values of marks are those of other parameters.
  const given = Object.entries(parameters).filter(([name]) => query.own.has(name));
  return {
    report: { id, organizationId, content: query.content },
    options: { parameters: Object.fromEntries(given), signal },
  };
}
