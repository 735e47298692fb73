import { useContext, useEffect, type RefObject } from 'react';
import type { TimeAxis } from '#charts/drawing/chart.ts';
import { rangeBetween } from '#charts/time/range.ts';
import { toWallTime } from '#charts/time/wall-clock.ts';
import type { ChartCanvas } from '../echarts/canvas.ts';
import { SharedTimeContext } from './shared-time.ts';
import classes from './time.module.css';

/** A shorter movement is a click. */
const minDragPx = 8;

/** Lets people drag over a range of a chart over time, with a pointer or a finger, which all charts then show. Escape cancels. */
export function useDragToZoom(
  element: RefObject<HTMLElement | null>,
  canvas: RefObject<ChartCanvas | undefined>,
  time: TimeAxis | undefined,
): void {
  const { onZoom } = useContext(SharedTimeContext);
  const isUtc = time?.isUtc === true;
  const canDrag = time?.name === 'xAxis';
  useEffect(() => {
    const { current } = element;
    if (current === null || onZoom === undefined || !canDrag) return undefined;
    const selection = document.createElement('div');
    selection.className = classes['selection'] ?? '';
    let startX: number | undefined;
    let isDragging = false;
    const xOf = ({ clientX }: PointerEvent) => {
      const { left, width } = current.getBoundingClientRect();
      return Math.min(Math.max(clientX - left, 0), width);
    };
    const stop = () => {
      startX = undefined;
      isDragging = false;
      selection.remove();
    };
    const down = (event: PointerEvent) => {
      if (event.isPrimary && event.button === 0) startX = xOf(event);
    };
    const move = (event: PointerEvent) => {
      if (startX === undefined) return;
      const x = xOf(event);
      if (!isDragging && Math.abs(x - startX) < minDragPx) return;
      if (!isDragging) {
        isDragging = true;
        // From now on the chart itself gets no events: it shows no tooltips, and the end of the drag is no click.
        current.setPointerCapture(event.pointerId);
        canvas.current?.point(undefined);
        current.append(selection);
      }
      selection.style.transform = `translateX(${Math.min(x, startX)}px)`;
      selection.style.width = `${Math.abs(x - startX)}px`;
    };
    const up = (event: PointerEvent) => {
      const ends = isDragging && startX !== undefined ? [startX, xOf(event)] : [];
      stop();
      const [one, other] = ends.map((x) => canvas.current?.timeAt(x, true));
      if (one === undefined || other === undefined) return;
      const range = rangeBetween(toWallTime(one, isUtc), toWallTime(other, isUtc));
      if (range !== undefined) onZoom(range);
    };
    const cancel = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') stop();
    };
    // A finger still scrolls the page up and down.
    current.style.touchAction = 'pan-y';
    current.addEventListener('pointerdown', down);
    current.addEventListener('pointermove', move);
    current.addEventListener('pointerup', up);
    current.addEventListener('pointercancel', stop);
    window.addEventListener('keydown', cancel);
    return () => {
      stop();
      current.style.touchAction = '';
      current.removeEventListener('pointerdown', down);
      current.removeEventListener('pointermove', move);
      current.removeEventListener('pointerup', up);
      current.removeEventListener('pointercancel', stop);
      window.removeEventListener('keydown', cancel);
    };
  }, [element, canvas, onZoom, canDrag, isUtc]);
}
