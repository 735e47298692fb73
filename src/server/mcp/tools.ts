import type { Tool } from './tool.ts';
import { describeDataSource } from './tools/describe-data-source.ts';
import { describeTable } from './tools/describe-table.ts';
import { explainFailedQuery } from './tools/explain-failed-query.ts';
import { listParameterValuesTool } from './tools/list-parameter-values.ts';
import { listSources } from './tools/list-data-sources.ts';
import { proposeDashboardEdit } from './tools/propose-dashboard-edit.ts';
import { proposeReport } from './tools/propose-report.ts';
import { readDashboard } from './tools/read-dashboard.ts';
import { readReport } from './tools/read-report.ts';
import { runQuery } from './tools/run-query.ts';
import { runReportTool } from './tools/run-report.ts';
import { search } from './tools/search.ts';

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  search,
  readDashboard,
  readReport,
  runReportTool,
  listParameterValuesTool,
  explainFailedQuery,
  listSources,
  describeDataSource,
  describeTable,
  runQuery,
  proposeReport,
  proposeDashboardEdit,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** Returns the tool with a name, or undefined. */
export const findTool = (name: string): Tool | undefined => byName.get(name);
