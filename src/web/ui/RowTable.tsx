import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import { isNumeric } from '#shared/columns.ts';
import { cellText, columnWidth } from './text/cell-text.ts';
import classes from './RowTable.module.css';

const rowHeight = 32;

/** Rows as the source sent them, of which those are in the page that are in sight. */
export function RowTable({
  label,
  columns,
  rows,
  height = 420,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** The most that it takes, in pixels. */
  readonly height?: number;
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const widths = useMemo(
    () => columns.map((column, index) => `${columnWidth(column, index, rows)}ch`),
    [columns, rows],
  );
  return (
    <div
      ref={frame}
      className={classes.frame}
      style={{ maxHeight: height }}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} aria-colcount={columns.length}>
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            {columns.map(({ name, type, sourceType }, index) => (
              <div
                key={index}
                role="columnheader"
                title={name}
                className={`${classes.cell} ${isNumeric(type) ? classes.number : ''}`}
                style={{ width: widths[index] }}
              >
                <b>{name}</b>
                <span className={classes.type} title={sourceType}>
                  {sourceType}
                </span>
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {columns.map(({ type }, column) => (
                <Cell
                  key={column}
                  value={rows[index]?.[column]}
                  isNumber={isNumeric(type)}
                  width={widths[column]}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

const mostShown = 2_000;

function Cell({
  value,
  isNumber,
  width,
}: {
  readonly value: unknown;
  readonly isNumber: boolean;
  readonly width: string | undefined;
}): ReactNode {
  const text = cellText(value)?.slice(0, mostShown);
  const kind = text === undefined ? classes.null : isNumber ? classes.number : '';
  return (
    <div role="cell" className={`${classes.cell} ${kind}`} style={{ width }} title={text}>
      {text ?? 'null'}
    </div>
  );
}
