import type { SourceTable } from '#contract/data-sources.ts';
import { counted } from '../ui/text/nouns.ts';

/** Returns the size of a table, such as `4 rows, 2 columns`. */
export function sizeOf({
  columns,
  rowCount,
  fault,
}: Pick<SourceTable, 'columns' | 'rowCount' | 'fault'>): string {
  if (fault !== undefined) return 'can’t be opened';
  const width = counted(columns.length, 'column');
  return rowCount === undefined ? width : `${counted(rowCount, 'row')}, ${width}`;
}
