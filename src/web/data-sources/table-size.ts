import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';

/** Returns the size of a table, such as `4 rows, 2 columns`. */
export function sizeOf({
  columns,
  rowCount,
  fault,
}: Pick<SourceTable, 'columns' | 'rowCount' | 'fault'>): string {
  if (fault !== undefined) return t('can’t be opened');
  const columnCount = columns.length;
  return rowCount === undefined
    ? t('{columnCount, plural, one {# column} other {# columns}}', { columnCount })
    : t(
        '{rowCount, plural, one {# row} other {# rows}}, {columnCount, plural, one {# column} other {# columns}}',
        { rowCount, columnCount },
      );
}
