import type { KeyboardEvent } from 'react';

/** Moves the focus between the cells of a table with the arrow keys, Home and End. */
export function moveBetweenCells(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement)) return;
  const cell = event.target.closest('td');
  const next = cell && cellFrom(cell, event.key);
  if (next === undefined || next === null) return;
  // A row that isn't on the page yet is added while the focus scrolls to it.
  next.querySelector('button')?.focus();
  event.preventDefault();
}

function cellFrom(cell: HTMLTableCellElement, key: string): Element | null | undefined {
  const row = cell.parentElement;
  switch (key) {
    case 'ArrowLeft':
      return cell.previousElementSibling;
    case 'ArrowRight':
      return cell.nextElementSibling;
    case 'ArrowUp':
      return row?.previousElementSibling?.children[cell.cellIndex];
    case 'ArrowDown':
      return row?.nextElementSibling?.children[cell.cellIndex];
    case 'Home':
      return row?.firstElementChild;
    case 'End':
      return row?.lastElementChild;
    default:
      return undefined;
  }
}
