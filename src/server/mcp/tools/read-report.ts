import { Type } from 'typebox';
import { ReportParameter } from '#contract/reports/reports.ts';
import { requireReport, type RequiredReport } from '../../reports/access.ts';
import { reportUrl } from '../addresses.ts';
import { defineTool, type ToolDependencies } from '../tool.ts';
import { Id, ReportCitation, Time } from './fields.ts';

/** Returns what a result of a report cites. */
export const citeReport = (
  { publicUrl }: Pick<ToolDependencies, 'publicUrl'>,
  { id, version, content }: RequiredReport,
): { id: string; name: string; version: number; url: string } => ({
  id,
  name: content.name,
  version,
  url: reportUrl(publicUrl, id),
});

export const readReport = defineTool({
  name: 'read_report',
  title: 'Read a report',
  description:
    'Returns the definition of a report: its query, its parameters with their defaults, and how it is shown. Use run_report for its result.',
  scope: 'read',
  input: Type.Object({ reportId: Id }),
  output: Type.Object({
    report: ReportCitation,
    description: Type.Optional(Type.String()),
    dataSourceId: Type.String(),
    query: Type.String(),
    parameters: Type.Array(ReportParameter),
    visualization: Type.Object({ kind: Type.String() }),
    cacheSeconds: Type.Integer({ description: 'How long a result is used again' }),
    createdAt: Time,
    updatedAt: Time,
  }),
  run: async (dependencies, call, { reportId }) => {
    const report = await requireReport(dependencies.database, call.actor, reportId);
    const { description, dataSourceId, query, parameters, visualization, cacheSeconds } = report.content;
    return {
      report: citeReport(dependencies, report),
      ...(description !== undefined && { description }),
      dataSourceId,
      query,
      parameters: [...parameters],
      visualization,
      cacheSeconds,
      createdAt: report.createdAt,
      updatedAt: report.updatedAt,
    };
  },
});
