import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { binsOf, type RangeAxis } from '#shared/explore/axes.ts';
import { t } from '#shared/language/messages.ts';
import type { Explorer } from '../explorer.ts';
import { rangeOf, selectionOfCells } from '../index/cells.ts';
import { barsPath } from './bars.ts';
import classes from './Charts.module.css';
import { dragTo, moveByKey, startDrag, type CellRange, type Drag } from './gestures.ts';
import { edgeText, rangeText } from './text.ts';

/** The distribution of numbers or times, in which people drag a range or move its ends with the arrow keys. */
export function RangeChart({
  axis,
  all,
  title,
  explorer,
}: {
  readonly axis: RangeAxis;
  /** The rows of each bar, without selections. */
  readonly all: readonly number[];
  readonly title: string;
  readonly explorer: Explorer;
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const bars = useRef<SVGPathElement>(null);
  const brush = useRef<HTMLDivElement>(null);
  const start = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const caption = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const { column, count } = axis;
  const bins = binsOf(axis);

  useEffect(
    () =>
      explorer.watch(column, ({ counts, selection }) => {
        if (counts !== undefined) bars.current?.setAttribute('d', barsPath(counts, bins.count));
        frame.current?.toggleAttribute('data-stale', counts === undefined);
        const isSelected = selection !== undefined && selection.kind !== 'values';
        const range = isSelected ? rangeOf(axis, selection) : { from: 0, to: count };
        frame.current?.toggleAttribute('data-selected', isSelected);
        if (brush.current !== null) {
          brush.current.style.left = `${(range.from / count) * 100}%`;
          brush.current.style.right = `${100 - (range.to / count) * 100}%`;
        }
        setSlider(start.current, range.from, edgeText(axis, range.from));
        setSlider(end.current, range.to, edgeText(axis, range.to));
        if (caption.current !== null) caption.current.textContent = isSelected ? rangeText(selection) : '';
      }),
    [explorer, column, axis, count, bins.count],
  );

  function rangeNow(): CellRange | undefined {
    const selection = explorer.selectionOf(column);
    return selection === undefined || selection.kind === 'values' ? undefined : rangeOf(axis, selection);
  }
  const select = (range: CellRange | undefined): void =>
    explorer.select(column, range && selectionOfCells(axis, range));

  function cellAt({ clientX }: PointerEvent): number {
    const box = frame.current?.getBoundingClientRect();
    return box === undefined ? 0 : ((clientX - box.left) / box.width) * count;
  }
  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = frame.current?.clientWidth ?? 1;
    const reach = ((event.pointerType === 'touch' ? 20 : 8) / width) * count;
    drag.current = startDrag(rangeNow(), cellAt(event), reach);
  }
  function onPointerMove(event: PointerEvent): void {
    if (drag.current !== undefined) select(dragTo(drag.current, cellAt(event), count));
  }
  function onPointerUp(event: PointerEvent): void {
    if (drag.current === undefined) return;
    // A click beside the range removes it.
    select(dragTo(drag.current, cellAt(event), count));
    drag.current = undefined;
    explorer.commit();
  }
  function onKeyDown(event: KeyboardEvent, side: 'from' | 'to'): void {
    if (event.key === 'Escape' && rangeNow() !== undefined) {
      event.preventDefault();
      select(undefined);
      return explorer.commit();
    }
    const range = moveByKey(rangeNow() ?? { from: 0, to: count }, side, event, axis);
    if (range === undefined) return;
    event.preventDefault();
    select(range);
  }
  const slider = (side: 'from' | 'to') => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': side === 'from' ? t('{title}: start', { title }) : t('{title}: end', { title }),
    'aria-valuemin': 0,
    'aria-valuemax': count,
    'aria-valuenow': side === 'from' ? 0 : count,
    'aria-valuetext': edgeText(axis, side === 'from' ? 0 : count),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, side),
    onKeyUp: () => explorer.commit(),
    onFocus: () => explorer.activate(column),
    className: classes['handle'],
  });
  return (
    <div>
      <div
        ref={frame}
        className={classes['plot']}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
      >
        <svg viewBox={`0 0 ${bins.count} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path className={classes['all']} d={barsPath(all, bins.count)} />
          <path ref={bars} className={classes['bars']} />
        </svg>
        <div ref={brush} className={classes['brush']}>
          <div ref={start} {...slider('from')} data-side="from" />
          <div ref={end} {...slider('to')} data-side="to" />
        </div>
      </div>
      <div className={classes['edges']}>
        <span>{edgeText(axis, 0)}</span>
        <span ref={caption} className={classes['caption']} />
        <span>{edgeText(axis, count)}</span>
      </div>
    </div>
  );
}

function setSlider(slider: HTMLElement | null, value: number, text: string): void {
  slider?.setAttribute('aria-valuenow', String(value));
  slider?.setAttribute('aria-valuetext', text);
}
