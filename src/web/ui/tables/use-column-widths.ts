import { useRef, useState, type RefObject } from 'react';

const minWidthPx = 40;
const maxWidthPx = 2_000;

/** The widths of the columns after one of them was resized; undefined while they are as wide as their content suggests. */
export interface ColumnWidths {
  readonly widthsPx: readonly number[] | undefined;
  readonly headRow: RefObject<HTMLTableRowElement | null>;
  readonly widthOf: (column: number) => number;
  readonly resize: (column: number, widthPx: number) => void;
}

/** Stores the widths of columns. The first change fixes the widths of all columns, so that only one changes. */
export function useColumnWidths(): ColumnWidths {
  const headRow = useRef<HTMLTableRowElement>(null);
  const [widthsPx, setWidthsPx] = useState<readonly number[]>();
  const measured = (): readonly number[] =>
    [...(headRow.current?.cells ?? [])].map(({ offsetWidth }) => offsetWidth);
  return {
    widthsPx,
    headRow,
    widthOf: (column) => (widthsPx ?? measured())[column] ?? minWidthPx,
    resize: (column, widthPx) =>
      setWidthsPx((before) =>
        (before ?? measured()).with(column, Math.round(Math.min(Math.max(widthPx, minWidthPx), maxWidthPx))),
      ),
  };
}
