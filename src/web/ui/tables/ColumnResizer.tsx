import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ColumnWidths } from './use-column-widths.ts';
import classes from './VirtualTable.module.css';

const stepPx = 16;

/** The edge of a column, which is dragged or moved with the arrow keys to change the width (WAI-ARIA 1.2, separator). */
export function ColumnResizer({
  name,
  column,
  widths: { widthOf, resize, widthsPx },
}: {
  readonly name: string;
  readonly column: number;
  readonly widths: ColumnWidths;
}): ReactNode {
  const drag = useRef<{ readonly x: number; readonly widthPx: number }>(undefined);
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, widthPx: widthOf(column) };
  };
  const move = ({ clientX }: PointerEvent) => {
    if (drag.current !== undefined) resize(column, drag.current.widthPx + clientX - drag.current.x);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    resize(column, widthOf(column) + by);
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of {name}', { name })}
      aria-valuenow={widthsPx?.[column] ?? 0}
      aria-valuetext={
        widthsPx === undefined ? t('Automatic') : t('{widthsPx} pixels', { widthsPx: widthsPx[column] ?? 0 })
      }
      tabIndex={0}
      className={classes['resizer']}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={press}
    />
  );
}
