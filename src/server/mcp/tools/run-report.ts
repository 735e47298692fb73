import { Type } from 'typebox';
import { ParameterValues } from '#contract/reports/runs.ts';
import { timestamp } from '../../base/clock.ts';
import { requireReport } from '../../reports/access.ts';
import { noteRun } from '../../reports/runs/allowed-values.ts';
import { runRequiredReport } from '../../reports/runs/runs.ts';
import { MaxRows, ShownRows, toShownRows } from '../rows.ts';
import { defineTool } from '../tool.ts';
import { Id, ReportCitation, Time } from './fields.ts';
import { citeReport } from './read-report.ts';

export const runReportTool = defineTool({
  name: 'run_report',
  title: 'Run a report',
  description:
    'Runs a report, also one whose data source you may not query yourself, and returns rows of its result. When you use the result, ' +
    'cite the report, its version, and `computedAt`.',
  scope: 'read',
  input: Type.Object({
    reportId: Id,
    parameters: Type.Optional({
      ...ParameterValues,
      description: 'Values by name, as in read_report; those that are left out have their defaults',
    }),
    maxRows: Type.Optional(MaxRows),
    isForced: Type.Optional(
      Type.Boolean({ description: 'Whether to query the data source even if a cached result is fresh' }),
    ),
  }),
  output: Type.Object({
    report: ReportCitation,
    ...ShownRows.properties,
    computedAt: { ...Time, description: 'When the data source returned it: cite it' },
    isFromCache: Type.Boolean(),
    labels: Type.Optional(
      Type.Array(Type.Object({ column: Type.String(), displayName: Type.Optional(Type.String()) })),
    ),
  }),
  run: async (dependencies, call, { reportId, parameters, maxRows, isForced }) => {
    const report = await requireReport(dependencies.database, call.actor, reportId);
    noteRun(dependencies, call.actor, report);
    const { result, labels = [] } = await runRequiredReport(dependencies, call.actor, report, {
      parameters,
      isForced,
      signal: call.signal,
    });
    const named = labels.flatMap(({ column, displayName }) =>
      displayName === undefined ? [] : [{ column, displayName }],
    );
    return {
      report: citeReport(dependencies, report),
      ...toShownRows(result, { maxRows }),
      computedAt: timestamp(result.computedAt),
      isFromCache: result.isFromCache,
      ...(named.length > 0 && { labels: named }),
    };
  },
});
