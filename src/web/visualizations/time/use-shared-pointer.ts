import { useContext, useEffect, type RefObject } from 'react';
import type { TimeAxis } from '#charts/drawing/chart.ts';
import { toPosition, toWallTime } from '#charts/time/wall-clock.ts';
import type { ChartCanvas } from '../echarts/canvas.ts';
import { SharedTimeContext } from './shared-time.ts';
import classes from './time.module.css';

/**
 * Shows the time that people point at in one chart in the others, as a line above them: they aren't drawn again. Charts that
 * aren't in view don't listen.
 */
export function useSharedPointer(
  element: RefObject<HTMLElement | null>,
  canvas: RefObject<ChartCanvas | undefined>,
  time: TimeAxis | undefined,
): void {
  const { pointer } = useContext(SharedTimeContext);
  const isUtc = time?.isUtc === true;
  const isShared = time?.name === 'xAxis';
  useEffect(() => {
    const { current } = element;
    if (current === null || pointer === undefined || !isShared) return undefined;
    const line = document.createElement('div');
    line.className = classes['pointer'] ?? '';
    const show = (at: number | undefined) => {
      const x = at === undefined ? undefined : canvas.current?.xOf(toPosition(at, isUtc));
      line.hidden = x === undefined;
      if (x === undefined) return;
      line.style.transform = `translateX(${x}px)`;
      if (line.parentElement === null) current.append(line);
    };
    const move = ({ clientX }: PointerEvent) => {
      const at = canvas.current?.timeAt(clientX - current.getBoundingClientRect().left);
      pointer.point(show, at === undefined ? undefined : toWallTime(at, isUtc));
    };
    const leave = () => pointer.point(show, undefined);
    current.addEventListener('pointermove', move);
    current.addEventListener('pointerleave', leave);
    let unsubscribe: (() => void) | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      unsubscribe?.();
      unsubscribe = entry?.isIntersecting === true ? pointer.subscribe(show) : undefined;
      if (unsubscribe === undefined) show(undefined);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      unsubscribe?.();
      current.removeEventListener('pointermove', move);
      current.removeEventListener('pointerleave', leave);
      line.remove();
    };
  }, [element, canvas, pointer, isShared, isUtc]);
}
