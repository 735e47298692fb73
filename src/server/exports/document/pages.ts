import { gridColumns } from '#shared/grid/layout.ts';
import { gridGapPx, heightOfRowsPx, rowHeightPx, withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import type { Box } from '../drawing/painter.ts';
import type { ExportedGrid, ExportedWidget } from './exported.ts';

/** The width of a dashboard in pixels, about that of a page in a window of 1,400 pixels. */
export const contentWidth = 1_104;
const headingHeight = 40;
const noteHeight = 26;

export type PlacedItem =
  | { readonly kind: 'heading'; readonly text: string; readonly isTab: boolean; readonly box: Box }
  | { readonly kind: 'note'; readonly text: string; readonly box: Box }
  | { readonly kind: 'widget'; readonly widget: ExportedWidget; readonly box: Box };

/** The items of a page, with boxes relative to its content. */
export interface LaidOutPage {
  readonly items: readonly PlacedItem[];
  /** The lower end of its last item. */
  readonly height: number;
}

/** Returns the box of a widget in its grid, in pixels. */
export function boxOf({ x, y, w, h }: { x: number; y: number; w: number; h: number }): Box {
  const column = (contentWidth - (gridColumns - 1) * gridGapPx) / gridColumns;
  return {
    x: x * (column + gridGapPx),
    y: y * (rowHeightPx + gridGapPx),
    width: w * column + (w - 1) * gridGapPx,
    height: heightOfRowsPx(h),
  };
}

/**
 * Places the widgets on pages of a height, where they are in the grids of their dashboard. No widget is divided: what doesn't
 * fit is on the next page, and what is higher than a page is made smaller.
 */
export function layOutPages(grids: readonly ExportedGrid[], pageHeight: number): LaidOutPage[] {
  const pages: LaidOutPage[] = [];
  let items: PlacedItem[] = [];
  let end = 0;
  const startPage = (): void => {
    pages.push({ items, height: end });
    items = [];
    end = 0;
  };
  const place = (item: PlacedItem): void => {
    items.push(item);
    end = Math.max(end, item.box.y + item.box.height);
  };

  for (const { heading, note, widgets } of grids) {
    let left = withVisibleLayouts(widgets.map((widget) => ({ widget, layout: widget.widget.layout }))).map(
      ({ widget, layout }) => ({ widget, box: boxOf(layout) }),
    );
    const first = Math.min(left[0]?.box.height ?? 0, pageHeight - headingHeight - noteHeight);
    const above = (heading === undefined ? 0 : headingHeight) + (note === undefined ? 0 : noteHeight);
    const needed = above + first;
    // A picture has no pages.
    const startsPage = heading?.isTab === true && Number.isFinite(pageHeight);
    if (end > 0 && (end + gridGapPx + needed > pageHeight || startsPage)) startPage();
    let top = end === 0 ? 0 : end + gridGapPx;
    if (heading !== undefined) {
      const box = { x: 0, y: top, width: contentWidth, height: headingHeight };
      place({ kind: 'heading', ...heading, box });
      top += headingHeight;
    }
    if (note !== undefined) {
      place({ kind: 'note', text: note, box: { x: 0, y: top, width: contentWidth, height: noteHeight } });
      top += noteHeight;
    }
    while (left.length > 0) {
      const start = left[0]?.box.y ?? 0;
      const room = pageHeight - top;
      const isOnPage = ({ box }: (typeof left)[number]): boolean =>
        box.y === start || box.y - start + box.height <= room;
      const fits = left.filter(isOnPage);
      // Only what is at its top can be higher than the whole page; on a page that has something, it waits for the next one.
      if (top > headingHeight + noteHeight && fits.some(({ box }) => box.height > room)) {
        startPage();
        top = 0;
        continue;
      }
      for (const { widget, box } of fits) {
        const height = Math.min(box.height, room);
        place({ kind: 'widget', widget, box: { ...box, y: top + box.y - start, height } });
      }
      left = left.filter((each) => !isOnPage(each));
      if (left.length > 0) {
        startPage();
        top = 0;
      }
    }
  }
  if (items.length > 0 || pages.length === 0) startPage();
  return pages;
}
