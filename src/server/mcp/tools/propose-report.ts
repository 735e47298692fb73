import { Type, type Static } from 'typebox';
import { ReportEdit, ReportParameter } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { closed } from '#contract/validation/closed.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';
import { requireReport } from '../../reports/access.ts';
import type { ReportContent } from '../../reports/content.ts';
import { defineTool, invalidArguments } from '../tool.ts';
import { Id } from './fields.ts';
import { BaseVersion, propose, Proposed, requireCurrent, Summary } from './proposed.ts';

/** The visualization is checked by the contract, whose schema would be most of the list of tools. */
const fields = {
  name: Type.String({ maxLength: 200 }),
  description: Type.String({ maxLength: 10_000 }),
  dataSourceId: Id,
  query: Type.String({ maxLength: 100_000, description: 'One SELECT statement; `{{name}}` is a parameter' }),
  parameters: Type.Array(ReportParameter, { maxItems: 50 }),
  visualization: Type.Unsafe<Visualization>({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    additionalProperties: true,
    description: 'As in read_report of a report with such a chart; default: a table',
  }),
  cacheSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
};
const Fields = Type.Partial(Type.Object(fields));

export const proposeReport = defineTool({
  name: 'propose_report',
  title: 'Propose a report',
  description:
    'Proposes a new report, or with `reportId` a change of one. Nothing changes: a person sees it beside the present state, and accepts or ' +
    'declines it. Try the query with run_query first. Give the person the URL.',
  scope: 'propose',
  input: Type.Object({
    summary: Summary,
    reportId: Type.Optional(Id),
    baseVersion: Type.Optional(BaseVersion),
    report: {
      ...Fields,
      description:
        'A new report needs name, dataSourceId and query. In a change, what is left out stays as it is',
    },
  }),
  output: Proposed,
  run: async (dependencies, call, { summary, reportId, baseVersion, report }) => {
    if (reportId === undefined) {
      return propose(dependencies, call, {
        summary,
        report: requireValid(report),
        ...(baseVersion !== undefined && { baseVersion }),
      });
    }
    const before = await requireReport(dependencies.database, call.actor, reportId);
    requireCurrent(baseVersion, before);
    const changed = { ...withoutStructure(before.content, report), ...report };
    return propose(dependencies, call, {
      targetId: reportId,
      baseVersion: before.version,
      summary,
      report: requireValid(changed),
    });
  },
});

/** A query that a person has built is only SQL once its text is changed. */
function withoutStructure(content: ReportContent, { query }: Static<typeof Fields>): ReportContent {
  const { structure, ...rest } = content;
  return structure === undefined || (query !== undefined && query !== content.query)
    ? rest
    : { ...rest, structure };
}

let findFaults: ReturnType<typeof faultFinder> | undefined;

/** Returns a whole report. Throws `invalid_body` with every fault. */
function requireValid(report: object): ReportEdit {
  findFaults ??= faultFinder(closed(ReportEdit));
  const faults = findFaults(report);
  if (faults.length > 0)
    throw invalidArguments(faults.map((fault) => ({ ...fault, pointer: `/report${fault.pointer}` })));
  // Sound because it has no faults.
  return report as ReportEdit;
}
