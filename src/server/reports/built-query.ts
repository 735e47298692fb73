import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import { isSameParameters } from '#shared/query-builder/same-parameters.ts';
import { isSameJson } from '../records/fields.ts';
import type { ReportContent } from './content.ts';

/** A structure can have a hundred thousand faults. */
const maxFaults = 100;

/**
 * Returns the faults of a built query: those of its structure, or that it doesn't generate the query and the parameters of the
 * report. `kind` is that of the data source.
 */
export async function findBuiltQueryFaults(
  { structure, query, parameters }: Pick<ReportContent, 'structure' | 'query' | 'parameters'>,
  kind: DataSourceKind,
): Promise<Fault[]> {
  if (structure === undefined) return [];
  const { dialectOfKind, generateQuery } = await loadGenerator();
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

/** Loads the generator of SQL, which no start of a server waits for. */
async function loadGenerator() {
  const [{ dialectOfKind }, { generateQuery }] = await Promise.all([
    import('#shared/query-builder/dialects/dialects.ts'),
    import('#shared/query-builder/generate.ts'),
  ]);
  return { dialectOfKind, generateQuery };
}

/** Whether two reports have the same built query on the same data source. */
export const isSameBuiltQuery = (one: ReportContent, other: ReportContent): boolean =>
  one.dataSourceId === other.dataSourceId &&
  one.query === other.query &&
  isSameParameters(one.parameters, other.parameters) &&
  isSameJson(one.structure, other.structure);

/** Returns the content without its structure if that doesn't generate its query, whose SQL was edited since. */
export async function withoutStaleStructure(
  content: ReportContent,
  kind: DataSourceKind,
): Promise<ReportContent> {
  if ((await findBuiltQueryFaults(content, kind)).length === 0) return content;
  const rest = { ...content };
  delete rest.structure;
  return rest;
}
