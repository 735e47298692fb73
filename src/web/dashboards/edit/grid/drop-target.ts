import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { gridColumns } from '#shared/grid/layout.ts';
import { gridGapPx, rowHeightPx } from '#shared/grid/visible-layouts.ts';

/** Where a widget is dropped that was dragged from another grid. */
export interface Drop {
  /** The key of the tab or section. */
  readonly parent: string;
  /** Its layout on that grid; undefined for a tab, where it gets the first free slot. */
  readonly layout: WidgetLayout | undefined;
}

/** An element on which widgets of other grids are dropped: a grid, or a tab. */
export interface DropZone {
  readonly 'data-drop-zone': string;
  readonly 'data-drop-slot'?: true;
}

export const gridZone = (parent: string): DropZone => ({ 'data-drop-zone': parent });
/** A tab isn't open, so that there is no cell of its grid to drop on. */
export const tabZone = (parent: string): DropZone => ({ 'data-drop-zone': parent, 'data-drop-slot': true });

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** A widget that is being dragged, and the grids and tabs around it. */
export interface WidgetDrag {
  /** Marks the grid or the tab that the widget would be dropped on. */
  readonly over: (point: Point) => void;
  /** Returns where it is dropped; undefined on its own grid. */
  readonly end: (point: Point | undefined) => Drop | undefined;
}

/**
 * Follows a widget that is dragged from the grid `own`. Until it is dropped, that grid keeps its height: otherwise it would grow with
 * the widget, and move the grids below it away from the pointer.
 */
export function followWidget(
  own: HTMLElement,
  item: HTMLElement,
  { w, h }: Pick<WidgetLayout, 'w' | 'h'>,
  start: Point,
): WidgetDrag {
  const { left, top } = item.getBoundingClientRect();
  const grabbed = { x: start.clientX - left, y: start.clientY - top };
  const zones = [...document.querySelectorAll<HTMLElement>('[data-drop-zone]')].filter(
    (zone) => zone !== own && zone.dataset['dropZone'] !== own.dataset['dropZone'],
  );
  if (zones.length > 0) own.style.height = `${own.offsetHeight}px`;
  const zoneAt = ({ clientX, clientY }: Point) =>
    zones.find((zone) => {
      const box = zone.getBoundingClientRect();
      return clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
    });
  const mark = (over: HTMLElement | undefined) => {
    for (const zone of zones) zone.toggleAttribute('data-drop-over', zone === over);
  };
  return {
    over: (point) => mark(zoneAt(point)),
    end: (point) => {
      const zone = point && zoneAt(point);
      mark(undefined);
      own.style.height = '';
      if (point === undefined || zone === undefined) return undefined;
      const parent = zone.dataset['dropZone'] ?? '';
      if (zone.hasAttribute('data-drop-slot')) return { parent, layout: undefined };
      const box = zone.getBoundingClientRect();
      const x = point.clientX - grabbed.x - box.left;
      const y = point.clientY - grabbed.y - box.top;
      return { parent, layout: layoutAt({ x, y }, box.width, { w, h }) };
    },
  };
}

/** Returns the layout of a widget whose corner is at a point of a grid, in pixels. */
export function layoutAt(
  { x, y }: { readonly x: number; readonly y: number },
  gridWidthPx: number,
  { w, h }: Pick<WidgetLayout, 'w' | 'h'>,
): WidgetLayout {
  const columnPx = (gridWidthPx + gridGapPx) / gridColumns;
  return {
    x: Math.max(0, Math.min(gridColumns - w, Math.round(x / columnPx))),
    y: Math.max(0, Math.round(y / (rowHeightPx + gridGapPx))),
    w,
    h,
  };
}
