import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import classes from './VirtualTable.module.css';

const rowHeightPx = 30;

/**
 * A table of which the page has only the rows that are visible. Rows are plain arrays: for 100,000 rows, the objects of
 * `@tanstack/react-table` take hundreds of megabytes and sorting them fifty times as long.
 */
export function VirtualTable({
  label,
  widthsCh,
  head,
  rowCount,
  row,
  className = '',
  maxHeight,
}: {
  readonly label: string;
  /** The width of each column, in characters. */
  readonly widthsCh: readonly number[];
  /** A `th` for each column. */
  readonly head: ReactNode;
  readonly rowCount: number;
  /** Returns a `td` for each column of a row. */
  readonly row: (index: number) => ReactNode;
  readonly className?: string | undefined;
  /** In pixels or as a length of CSS. */
  readonly maxHeight?: number | string;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      className={`${classes['scroller']} ${className}`}
      style={{ maxHeight }}
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <table
        className={classes['table']}
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={widthsCh.length}
      >
        <colgroup>
          {widthsCh.map((width, index) => (
            <col key={index} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} className={classes['row']}>
              {row(index)}
            </tr>
          ))}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
      {rowCount === 0 && <div className={classes['empty']}>No rows</div>}
    </div>
  );
}
