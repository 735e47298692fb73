import { Type, type Static } from 'typebox';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { ProblemCode } from '#contract/problem.ts';
import { ParameterValues } from '#contract/reports/runs.ts';
import { quoteName } from '#shared/sql/names.ts';
import { timestamp } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { listSourceTables } from '../../data-sources/browsing.ts';
import { requireReport, type RequiredReport } from '../../reports/access.ts';
import { runRequiredReport } from '../../reports/runs/runs.ts';
import { placeIn } from '../failed-place.ts';
import { nearNames } from '../near-names.ts';
import { defineTool, type ToolCall, type ToolDependencies } from '../tool.ts';
import { toToolProblem, ToolProblem } from '../tool-problem.ts';
import { Id, ReportCitation, Time } from './fields.ts';
import { citeReport } from './read-report.ts';

const maxTables = 20;
const maxColumns = 200;

const Explanation = Type.Object({
  report: ReportCitation,
  failed: Type.Boolean(),
  ranAt: { ...Time, description: 'When it was run for this: cite it' },
  query: Type.String(),
  problem: Type.Optional(ToolProblem),
  excerpt: Type.Optional(Type.String({ description: 'The lines of the query where it failed' })),
  name: Type.Optional(Type.String({ description: 'The name in the query where it failed' })),
  nearNames: Type.Optional(
    Type.Array(Type.String(), { description: 'Names of tables and columns that are written much like it' }),
  ),
  tables: Type.Optional(
    Type.Array(
      Type.Object({ schema: Type.String(), name: Type.String(), columns: Type.Array(Type.String()) }),
      {
        description: 'The tables that the query names, with the names and types of their columns',
      },
    ),
  ),
  suggestions: Type.Array(Type.String()),
});

export const explainFailedQuery = defineTool({
  name: 'explain_failed_query',
  title: 'Explain a failed query',
  description:
    'Runs a report now and, if its query fails, returns why: the message, the place in the query, the tables that it names, and what to do. ' +
    'The tables are included if you may query the data source.',
  scope: 'read',
  input: Type.Object({
    reportId: Id,
    parameters: Type.Optional({ ...ParameterValues, description: 'Values by name, as in run_report' }),
  }),
  output: Explanation,
  run: async (dependencies, call, { reportId, parameters }) => {
    const report = await requireReport(dependencies.database, call.actor, reportId);
    const known = {
      report: citeReport(dependencies, report),
      ranAt: timestamp(dependencies.clock()),
      query: report.content.query,
    };
    try {
      const { result } = await runRequiredReport(dependencies, call.actor, report, {
        parameters,
        isForced: true,
        signal: call.signal,
      });
      result.release();
      return {
        ...known,
        failed: false,
        suggestions: ['The query does not fail now. Run it with run_report.'],
      };
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      return { ...known, failed: true, ...(await explain(dependencies, call, report, error)) };
    }
  },
});

async function explain(
  dependencies: ToolDependencies,
  call: ToolCall,
  { content }: RequiredReport,
  error: AtriumError,
): Promise<
  Pick<Static<typeof Explanation>, 'problem' | 'excerpt' | 'name' | 'nearNames' | 'tables' | 'suggestions'>
> {
  const problem = toToolProblem(error);
  // The line of a failed list of values is one of the query of the parameter.
  const ofParameter = content.parameters.find(({ name }) => name === problem.parameter);
  const query = ofParameter?.allowed?.query ?? content.query;
  const place = problem.line === undefined ? undefined : placeIn(query, problem.line, problem.column);
  const all = error.code === 'query_failed' ? await findTables(dependencies, call, content.dataSourceId) : [];
  const tables = all.filter(namedIn(query)).slice(0, maxTables);
  const names = [
    ...all.map(({ name }) => name),
    ...tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ];
  const near = place?.name === undefined || names.includes(place.name) ? [] : nearNames(place.name, names);
  return {
    problem,
    ...(place && { excerpt: place.excerpt, ...(place.name !== undefined && { name: place.name }) }),
    ...(near.length > 0 && { nearNames: near }),
    ...(tables.length > 0 && { tables: tables.map(toShownTable) }),
    suggestions: [
      ...(near.length > 0 ? ['If the name is misspelled, one of `nearNames` may be meant.'] : []),
      ...(suggestions[error.code] ?? []),
    ],
  };
}

/** Returns the tables of a data source, or none if the actor may not query it or it can't be reached. */
async function findTables(
  dependencies: ToolDependencies,
  { actor, signal }: ToolCall,
  dataSourceId: string,
): Promise<SourceTable[]> {
  try {
    return await listSourceTables(dependencies, actor, dataSourceId, signal);
  } catch (error) {
    if (error instanceof AtriumError) return [];
    throw error;
  }
}

/** Returns whether a query has the name of a table as a word or, if it is not a word, quoted. */
function namedIn(query: string): (table: SourceTable) => boolean {
  const text = query.toLowerCase();
  const words = new Set(text.match(/[\p{L}\p{N}_$]+/gu));
  return ({ name }) => {
    const wanted = name.toLowerCase();
    return words.has(wanted) || (!/^[\p{L}\p{N}_$]+$/u.test(wanted) && text.includes(quoteName(wanted)));
  };
}

const toShownTable = ({ schema, name, columns }: SourceTable) => ({
  schema,
  name,
  columns: columns.slice(0, maxColumns).map((column) => `${column.name} ${column.sourceType}`),
});

/** What people can do about each problem. */
const suggestions: Partial<Readonly<Record<ProblemCode, readonly string[]>>> = {
  query_failed: [
    'Compare the names and types at the place of the failure with those of the tables: describe_table has all of them.',
    'If you may query the data source, try a corrected query with run_query before you suggest it.',
  ],
  query_timed_out: [
    'Read fewer rows: filter by a column that the table is sorted or indexed by, or aggregate earlier.',
    'A longer cache time makes readers wait less often.',
  ],
  query_too_large: [
    'Aggregate, select fewer columns, or limit the rows: the result or its calculation was too large.',
  ],
  source_unreachable: [
    'The query is not the cause. Ask an admin of the organization to test the data source.',
  ],
  queries_busy: ['The query is not the cause. Try again in a minute.'],
  invalid_body: [
    'The values of the parameters are not valid: list_parameter_values lists those that are allowed.',
  ],
};
