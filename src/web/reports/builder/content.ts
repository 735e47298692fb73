import type { ReportParameter } from '#contract/reports/reports.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import type { ReportContent } from '../edit/content.ts';
import { suggestedName } from './names.ts';

export type BuilderDialect = Parameters<typeof generateQuery>[1];

/**
 * Returns a report with another structure, and with the query and the parameters that it generates. Until people name the
 * report, its name follows the structure. While something in the structure is missing, the query is empty.
 */
export function withStructure(
  content: ReportContent,
  structure: QueryStructure,
  dialect: BuilderDialect,
): ReportContent {
  const generated = generateQuery(structure, dialect);
  const isNamed =
    content.name !== '' &&
    (content.structure === undefined || content.name !== suggestedName(content.structure));
  return {
    ...content,
    structure,
    query: 'query' in generated ? generated.query.sql : '',
    parameters:
      'query' in generated
        ? generated.query.parameters.map((parameter) => withLabel(parameter, content.parameters))
        : content.parameters,
    ...(!isNamed && { name: suggestedName(structure) }),
  };
}

/** Returns a parameter with the label and the allowed values that it has in the report. */
function withLabel(
  parameter: Pick<ReportParameter, 'name' | 'type' | 'default'>,
  known: readonly ReportParameter[],
): ReportParameter {
  const { label, allowed } = known.find(({ name }) => name === parameter.name) ?? {};
  return { ...parameter, ...(label !== undefined && { label }), ...(allowed !== undefined && { allowed }) };
}
