import type { MouseEvent } from 'react';
import type { Click } from '#charts/marks/mark.ts';

/** Returns where and how an element was clicked. A click by keyboard has no position: it is the lower left corner. */
export function clickOf(event: MouseEvent<HTMLElement>): Click {
  const { clientX, clientY, detail, currentTarget, ctrlKey, metaKey, shiftKey } = event;
  const { left, bottom } = currentTarget.getBoundingClientRect();
  const at = detail === 0 ? { x: left, y: bottom } : { x: clientX, y: clientY };
  return { ...at, isAdding: ctrlKey || metaKey || shiftKey };
}
