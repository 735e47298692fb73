import { CloseButton, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { numberFormat } from '#shared/region/intl.ts';
import { ColumnResizer } from './ColumnResizer.tsx';
import { useColumnWidths } from './use-column-widths.ts';
import { useRowSearch, type RowSearch } from './use-row-search.ts';
import classes from './VirtualTable.module.css';

const rowHeightPx = 30;
/** A table with at most this many rows has no search. */
const rowsWithoutSearch = 10;

export interface VirtualColumn {
  readonly name: string;
  /** Without resizing, in characters. */
  readonly widthCh: number;
  readonly isNumber: boolean;
  readonly content: ReactNode;
  readonly title?: string | undefined;
  readonly sort?: 'ascending' | 'descending' | undefined;
}

/**
 * A table of which the page has only the rows that are visible. Its rows can be searched and its columns resized. Rows are
 * plain arrays: for 100,000 rows, the objects of `@tanstack/react-table` take hundreds of megabytes and sorting them fifty
 * times as long.
 */
export function VirtualTable({
  label,
  columns,
  rowCount,
  row,
  textOf,
  foot,
  className = '',
  maxHeight,
}: {
  readonly label: string;
  readonly columns: readonly VirtualColumn[];
  readonly rowCount: number;
  /** Returns a `td` for each column of a row. */
  readonly row: (index: number) => ReactNode;
  /** Returns the text of a row for the search. It must be the same function as long as the rows are the same. */
  readonly textOf: (index: number) => string;
  /** Returns a `td` for each column of the last row, which is always visible. Undefined `indexes` are all rows. */
  readonly foot?: ((indexes: readonly number[] | undefined) => ReactNode) | undefined;
  readonly className?: string | undefined;
  /** In pixels or as a length of CSS. */
  readonly maxHeight?: number | string;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useColumnWidths();
  const search = useRowSearch(rowCount, textOf);
  const shownCount = search.found?.length ?? rowCount;
  const virtualizer = useVirtualizer({
    count: shownCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const { widthsPx } = widths;
  return (
    <div className={`${classes['frame']} ${className}`} style={{ maxHeight }}>
      {rowCount > rowsWithoutSearch && <Search label={label} search={search} rowCount={rowCount} />}
      <div ref={scroller} className={classes['scroller']} role="group" aria-label={label} tabIndex={0}>
        <table
          className={classes['table']}
          style={widthsPx && { width: widthsPx.reduce((sum, width) => sum + width, 0) }}
          aria-label={label}
          aria-rowcount={shownCount + (foot === undefined ? 1 : 2)}
          aria-colcount={columns.length}
        >
          <colgroup>
            {columns.map(({ widthCh }, index) => (
              <col key={index} style={{ width: widthsPx?.[index] ?? `${widthCh}ch` }} />
            ))}
          </colgroup>
          <thead>
            <tr ref={widths.headRow} aria-rowindex={1}>
              {columns.map(({ name, isNumber, title, sort, content }, index) => (
                <th
                  key={index}
                  scope="col"
                  aria-label={name}
                  title={title}
                  data-end={isNumber || undefined}
                  {...(sort !== undefined && { 'aria-sort': sort })}
                >
                  {content}
                  <ColumnResizer name={name} column={index} widths={widths} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <tr aria-hidden style={{ height: above }} />}
            {items.map(({ index }) => (
              <tr key={index} aria-rowindex={index + 2} className={classes['row']}>
                {row(search.found?.[index] ?? index)}
              </tr>
            ))}
            {below > 0 && <tr aria-hidden style={{ height: below }} />}
          </tbody>
          {foot !== undefined && shownCount > 0 && (
            <tfoot>
              <tr aria-rowindex={shownCount + 2}>{foot(search.found)}</tr>
            </tfoot>
          )}
        </table>
        {shownCount === 0 && (
          <div className={classes['empty']}>{rowCount === 0 ? t('No rows') : t('No matching rows')}</div>
        )}
      </div>
    </div>
  );
}

const Search = ({
  label,
  search: { text, setText, found },
  rowCount,
}: {
  readonly label: string;
  readonly search: RowSearch;
  readonly rowCount: number;
}): ReactNode => (
  <Group gap="xs" wrap="nowrap" className={`${classes['search']} no-print`}>
    <TextInput
      type="search"
      variant="unstyled"
      size="xs"
      flex={1}
      aria-label={t('Search in {label}', { label })}
      placeholder={t('Search in the table')}
      maxLength={200}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
    <Text size="xs" c="dimmed" role="status">
      {found !== undefined &&
        t('{count} of {rowCount, plural, one {# row} other {# rows}}', {
          count: numberFormat().format(found.length),
          rowCount,
        })}
    </Text>
    {text !== '' && <CloseButton size="sm" aria-label={t('Clear search')} onClick={() => setText('')} />}
  </Group>
);
