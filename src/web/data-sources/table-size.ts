import type { SourceTable } from '#contract/data-sources.ts';

const counted = new Intl.NumberFormat();

/** Returns the size of a table, such as `4 rows, 2 columns`. */
export function sizeOf({
  columns,
  rowCount,
  fault,
}: Pick<SourceTable, 'columns' | 'rowCount' | 'fault'>): string {
  if (fault !== undefined) return 'cannot be opened';
  const width = `${counted.format(columns.length)} ${columns.length === 1 ? 'column' : 'columns'}`;
  if (rowCount === undefined) return width;
  return `${counted.format(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}, ${width}`;
}
