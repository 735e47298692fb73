import type { WidgetLayout } from '#contract/dashboards/dashboards.ts';
import { gridColumns } from '#shared/grid/layout.ts';

/** How many columns and rows each arrow key moves a widget by. */
const steps: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns the layout of a widget after a key press: arrow keys move it by one cell, and with Shift resize it. It stays on the
 * grid, and of `minSize` unless it was smaller. Undefined for any other key.
 */
export function layoutAfterKey(
  layout: WidgetLayout,
  key: string,
  isShift: boolean,
  minSize: Pick<WidgetLayout, 'w' | 'h'>,
): WidgetLayout | undefined {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return undefined;
  const [columns, rows] = step;
  const { x, y, w, h } = layout;
  return isShift
    ? {
        x,
        y,
        w: Math.max(Math.min(minSize.w, w), Math.min(gridColumns - x, w + columns)),
        h: Math.max(Math.min(minSize.h, h), h + rows),
      }
    : { x: Math.max(0, Math.min(gridColumns - w, x + columns)), y: Math.max(0, y + rows), w, h };
}
