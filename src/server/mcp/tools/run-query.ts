import { Type } from 'typebox';
import { ParameterValues } from '#contract/reports/runs.ts';
import { ReportParameter } from '#contract/reports/reports.ts';
import { timestamp } from '../../base/clock.ts';
import { toContent } from '../../reports/content.ts';
import { previewReport } from '../../reports/runs/runs.ts';
import { MaxRows, ShownRows, toShownRows } from '../rows.ts';
import { defineTool } from '../tool.ts';
import { Id, Time } from './fields.ts';

export const runQuery = defineTool({
  name: 'run_query',
  title: 'Run a query',
  description:
    'Runs one SELECT statement that reads a data source, in its SQL dialect, and returns rows. Nothing is stored, and nothing can be changed. ' +
    'Requires the editor role and permission to query the data source. Prefer a report that exists: its author has checked it. A result ' +
    'that people should rely on belongs in a report.',
  scope: 'read',
  input: Type.Object({
    dataSourceId: Id,
    query: Type.String({ minLength: 1, maxLength: 100_000, description: '`{{name}}` refers to a parameter' }),
    parameters: Type.Optional(Type.Array(ReportParameter, { maxItems: 50 })),
    values: Type.Optional({ ...ParameterValues, description: 'The values of the parameters, by name' }),
    maxRows: Type.Optional(MaxRows),
  }),
  output: Type.Object({
    dataSourceId: Type.String(),
    ...ShownRows.properties,
    computedAt: { ...Time, description: 'When the data source returned it: cite it' },
  }),
  run: async (dependencies, call, { dataSourceId, query, parameters, values, maxRows }) => {
    const content = toContent({ name: 'Query', dataSourceId, query, ...(parameters && { parameters }) });
    const { actor, organizationId, signal } = call;
    const options = { parameters: values, pointer: '/values', signal };
    const { result } = await previewReport(dependencies, actor, { organizationId, content }, options);
    return {
      dataSourceId,
      ...toShownRows(result, { maxRows }),
      computedAt: timestamp(result.computedAt),
    };
  },
});
