import { tokensOf } from '#shared/query-builder/formula/lexer.ts';
import type { ColumnReference, QueryStructure } from '#shared/query-builder/structure.ts';
import { AtriumError } from '../../base/errors.ts';
import { findHiddenColumns } from '../../models/hidden.ts';
import type { Reader } from '../../storage/database.ts';

/**
 * Returns the columns of the rows of a query that authors haven't hidden in the models of its tables, without custom columns that
 * are computed from hidden ones. Throws `forbidden` if there are none.
 */
export async function findVisibleColumns(
  reader: Reader,
  dataSourceId: string,
  { table, joins = [], customColumns = [] }: QueryStructure,
): Promise<readonly ColumnReference[]> {
  const visible: ColumnReference[] = [];
  // As formulas name them.
  const hidden = new Set<string>();
  for (const side of [{ as: undefined, table }, ...joins]) {
    const isHidden = await findHiddenColumns(reader, dataSourceId, side.table);
    for (const { name } of side.table.columns)
      if (isHidden(name)) hidden.add(side.as === undefined ? name : `${side.as}.${name}`);
      else visible.push({ ...(side.as !== undefined && { table: side.as }), name });
  }
  for (const { name, formula } of customColumns)
    if (columnsOf(formula).some((column) => hidden.has(column))) hidden.add(name);
    else visible.push({ name });
  if (visible.length === 0) throw new AtriumError('forbidden', 'All columns of these rows are hidden.');
  return visible;
}

const columnsOf = (formula: string): readonly string[] =>
  tokensOf(formula).tokens.flatMap(({ kind, text }) => (kind === 'column' ? [text] : []));
