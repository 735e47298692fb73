import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import { isSameParameters } from '#shared/query-builder/same-parameters.ts';
import { isSameJson } from '../records/fields.ts';
import type { ReportContent } from './content.ts';

/** A structure can have a hundred thousand faults. */
const maxFaults = 100;

/**
 * Returns the faults of a built query: those of its structure, or that it doesn't generate the query and the parameters of the
 * report. `kind` is that of the data source.
 */
export function findBuiltQueryFaults(
  { structure, query, parameters }: Pick<ReportContent, 'structure' | 'query' | 'parameters'>,
  kind: DataSourceKind,
): Fault[] {
  if (structure === undefined) return [];
  const generated = generateQuery(structure, dialectOfKind[kind]);
  if ('faults' in generated)
    return generated.faults.slice(0, maxFaults).map(({ pointer, message }) => ({
      pointer: `/structure${pointer}`,
      code: 'structure',
      message,
    }));
  const faults: Fault[] = [];
  if (generated.query.sql !== query)
    faults.push({
      pointer: '/query',
      code: 'structure',
      message: 'must be the SQL that `structure` generates',
    });
  if (!isSameParameters(generated.query.parameters, parameters))
    faults.push({
      pointer: '/parameters',
      code: 'structure',
      message: 'must have the names, types and defaults that `structure` generates, in the same order',
    });
  return faults;
}

/** Whether two reports have the same built query on the same data source. */
export const isSameBuiltQuery = (one: ReportContent, other: ReportContent): boolean =>
  one.dataSourceId === other.dataSourceId &&
  one.query === other.query &&
  isSameParameters(one.parameters, other.parameters) &&
  isSameJson(one.structure, other.structure);

/** Returns the content without its structure if that doesn't generate its query, whose SQL was edited since. */
export function withoutStaleStructure(content: ReportContent, kind: DataSourceKind): ReportContent {
  if (findBuiltQueryFaults(content, kind).length === 0) return content;
  const rest = { ...content };
  delete rest.structure;
  return rest;
}
