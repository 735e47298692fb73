import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { queriedColumns } from '#shared/query-builder/queried-columns.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { generateQuery, type StructureFault } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import type { ModelContent } from './draft.ts';

/** Returns what is wrong with the dimensions and measures of a table, by their pointers in its model. */
export function findFormulaFaults(
  { dimensions = [], measures = [] }: ModelContent,
  { schema, name, columns }: Pick<SourceTable, 'schema' | 'name' | 'columns'>,
  kind: DataSourceKind,
): ReadonlyMap<string, StructureFault> {
  const faults = new Map<string, StructureFault>();
  const check = (pointer: string, structure: Omit<QueryStructure, 'table'>) => {
    const table = { schema, name, columns: queriedColumns(columns) };
    const generated = generateQuery({ table, ...structure }, dialectOfKind[kind]);
    const [fault] = 'faults' in generated ? generated.faults : [];
    if (fault !== undefined) faults.set(pointer, fault);
  };
  // Each one separately: a fault of one would otherwise be one of all that refer to it.
  for (const [index, { name, formula }] of dimensions.entries())
    check(`/dimensions/${index}/formula`, { customColumns: [{ name, formula }], columns: [{ name }] });
  for (const [index, { name, formula }] of measures.entries())
    check(`/measures/${index}/formula`, { measures: [{ name, aggregate: 'formula', formula }] });
  return faults;
}
