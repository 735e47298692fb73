import { Type } from 'typebox';
import { requireReport } from '../../reports/access.ts';
import { listParameterValues } from '../../reports/runs/allowed-values.ts';
import { defineTool } from '../tool.ts';
import { Id, ReportCitation } from './fields.ts';
import { citeReport } from './read-report.ts';

const maxValues = 500;

export const listParameterValuesTool = defineTool({
  name: 'list_parameter_values',
  title: 'List the values of a parameter',
  description:
    'Lists the values that a parameter of a report may have, if its author has limited them. `others` has the values of the parameters ' +
    'that they depend on, as texts.',
  scope: 'read',
  input: Type.Object({
    reportId: Id,
    parameter: Type.String({ maxLength: 100 }),
    others: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 10_000 }))),
  }),
  output: Type.Object({
    report: ReportCitation,
    values: Type.Optional(Type.Array(Type.String(), { description: 'Omitted if any value is allowed' })),
    truncated: Type.Optional(Type.String({ description: 'Present if values are missing' })),
  }),
  run: async (dependencies, call, { reportId, parameter, others = {} }) => {
    const report = await requireReport(dependencies.database, call.actor, reportId);
    const input = { reportId, parameter, texts: others };
    const values = await listParameterValues(dependencies, call.actor, input, call.signal);
    return {
      report: citeReport(dependencies, report),
      ...(values !== undefined && { values: values.slice(0, maxValues) }),
      ...(values !== undefined &&
        values.length > maxValues && {
          truncated: `Only the first ${maxValues} of ${values.length} values are listed.`,
        }),
    };
  },
});
