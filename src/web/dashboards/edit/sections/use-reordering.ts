import { useMemo, useRef, type PointerEvent } from 'react';

/** How far the pointer moves before a press becomes a drag, in pixels. */
const thresholdPx = 5;

/**
 * Returns the handler for the list whose items are dragged into another order. Each item is a child of the list with its key in
 * `data-reorder-key`; it is dragged by itself, or by an element in it with `data-reorder-handle` if it has one.
 */
export function useReordering(
  axis: 'x' | 'y',
  onMove: (key: string, index: number) => void,
): { readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void } {
  const latest = useRef(onMove);
  latest.current = onMove;
  return useMemo(
    () => ({
      onPointerDown: (event) => {
        if (event.button !== 0 || !(event.target instanceof Element)) return;
        const list = event.currentTarget;
        const item = itemsOf(list).find((each) => each.contains(event.target as Element));
        const handle = item?.querySelector('[data-reorder-handle]');
        if (item === undefined || (handle && !handle.contains(event.target))) return;
        followDrag(list, item, axis, event, (key, index) => latest.current(key, index));
      },
    }),
    [axis],
  );
}

const itemsOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>(':scope > [data-reorder-key]'),
];

function followDrag(
  list: HTMLElement,
  item: HTMLElement,
  axis: 'x' | 'y',
  start: { readonly clientX: number; readonly clientY: number },
  onMove: (key: string, index: number) => void,
): void {
  const others = itemsOf(list).filter((each) => each !== item);
  const controller = new AbortController();
  const { signal } = controller;
  let index: number | undefined;
  const mark = () => {
    for (const each of others) delete each.dataset['drop'];
    if (index === undefined) return;
    const before = others[index];
    const last = others.at(-1);
    if (before !== undefined) before.dataset['drop'] = 'before';
    else if (last !== undefined) last.dataset['drop'] = 'after';
  };
  const end = () => {
    controller.abort();
    delete item.dataset['dragged'];
    index = undefined;
    mark();
  };
  const move = (event: globalThis.PointerEvent) => {
    const distance = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    if (index === undefined && distance < thresholdPx) return;
    item.dataset['dragged'] = 'true';
    index = others.filter(
      (each) => centerOf(each, axis) < (axis === 'x' ? event.clientX : event.clientY),
    ).length;
    mark();
  };
  const drop = () => {
    const [key, dropped] = [item.dataset['reorderKey'], index];
    end();
    if (key === undefined || dropped === undefined) return;
    // The click that follows a drag isn't meant for the item.
    const stop = (event: Event) => event.stopPropagation();
    list.addEventListener('click', stop, { capture: true, once: true });
    setTimeout(() => list.removeEventListener('click', stop, { capture: true }));
    onMove(key, dropped);
  };
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', drop, { signal });
  window.addEventListener('pointercancel', end, { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal });
}

function centerOf(element: HTMLElement, axis: 'x' | 'y'): number {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return axis === 'x' ? (left + right) / 2 : (top + bottom) / 2;
}
