import { t } from '#shared/language/messages.ts';
import { use } from 'echarts/core';
import { GridComponent, LegendComponent } from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import { createValueColors } from '#charts/drawing/value-colors.ts';
import { loadFonts, widthOf } from '../drawing/fonts.ts';
import type { Painter } from '../drawing/painter.ts';
import { truncate, wrap } from '../drawing/text.ts';
import { drawWidget } from '../drawing/widget.ts';
import type { ExportedDocument, ExportedWidget } from './exported.ts';
import { imageLoader, type LoadedImage } from './images.ts';
import { boxOf, contentWidth, layOutPages, type LaidOutPage, type PlacedItem } from './pages.ts';
import { prepareBody, type ChartSettings, type WidgetBody } from './prepare.ts';

/** A picture of a size, with an empty margin around it, and the function that draws it. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly draw: (painter: Painter) => void;
}

const titleStyle = { size: 18, weight: 600, color: theme.text } as const;
const factStyle = { size: 12, weight: 400, color: theme.dimmed } as const;
const filterStyle = { ...factStyle, color: theme.text } as const;
const headingStyle = { size: 18, weight: 600, color: theme.text } as const;
const tabStyle = { ...headingStyle, size: 22 } as const;
const maxFilterLines = 3;
const titleHeight = 28;
const lineHeight = 18;
/** The logo is beside the first two lines of the header. */
const maxLogo = { width: 160, height: 40 };
/** The empty space around a dashboard. */
const dashboardMargin = 16;

/** Returns the pages of a document in pictures of a height, each with a header. */
export async function drawPages(document: ExportedDocument, pageHeight: number): Promise<Picture[]> {
  const bodies = await prepareAll(
    document.grids.flatMap(({ widgets }) => widgets),
    document,
  );
  const filters = filterLines(document);
  const logo = document.logo && (await imageLoader({})({ dataUrl: document.logo }));
  const headerHeight = titleHeight + (filters.length + 1) * lineHeight + 12;
  const pages = layOutPages(document.grids, pageHeight - headerHeight);
  return pages.map((page, index) => ({
    width: contentWidth,
    margin: dashboardMargin,
    height: Number.isFinite(pageHeight) ? pageHeight : headerHeight + page.height,
    draw(painter) {
      const pageText =
        pages.length > 1 ? t('Page {number} of {count}', { number: index + 1, count: pages.length }) : '';
      const left = logo ? drawLogo(painter, logo) : 0;
      drawHeader(painter, document, { filters, pageText, left });
      drawItems(painter, page, headerHeight, bodies);
    },
  }));
}

/** Returns a picture of the whole document. */
export async function drawDocument(document: ExportedDocument): Promise<Picture> {
  const [page] = await drawPages(document, Infinity);
  if (page === undefined) throw new Error('Every document has a page.');
  return page;
}

/** Returns a picture of one widget in the size that it has on the dashboard. */
export async function drawSingle(widget: ExportedWidget, document: ChartSettings): Promise<Picture> {
  const bodies = await prepareAll([widget], document);
  const { w, h } = widget.widget.layout;
  const clamped = { x: 0, y: 0, w: Math.min(Math.max(w, 1), 12), h: Math.min(Math.max(h, 2), 40) };
  const box = boxOf(clamped);
  return {
    width: box.width,
    height: box.height,
    margin: 0,
    draw: (painter) => drawItems(painter, { items: [{ kind: 'widget', widget, box }], height: 0 }, 0, bodies),
  };
}

async function prepareAll(
  widgets: readonly ExportedWidget[],
  document: ChartSettings,
): Promise<ReadonlyMap<ExportedWidget, WidgetBody>> {
  loadFonts();
  const colors = createValueColors();
  const bodies = new Map<ExportedWidget, WidgetBody>();
  for (const widget of widgets) bodies.set(widget, await prepareBody(widget, colors, document));
  use([GridComponent, LabelLayout, LegendComponent]);
  return bodies;
}

function drawItems(
  painter: Painter,
  { items }: LaidOutPage,
  top: number,
  bodies: ReadonlyMap<ExportedWidget, WidgetBody>,
): void {
  for (const item of items) {
    const box = { ...item.box, y: item.box.y + top };
    if (item.kind === 'heading') {
      drawHeading(painter, { ...item, box });
      continue;
    }
    if (item.kind === 'note') {
      painter.text(box.x, box.y + 13, truncate(item.text, box.width, factStyle), factStyle);
      continue;
    }
    const body = bodies.get(item.widget);
    if (body !== undefined) drawWidget(painter, box, item.widget, body);
  }
}

function drawHeading(painter: Painter, { text, isTab, box }: Extract<PlacedItem, { kind: 'heading' }>): void {
  const style = isTab ? tabStyle : headingStyle;
  painter.text(box.x, box.y + 26, truncate(text, box.width, style), style);
}

const filterLines = ({ filters }: ExportedDocument): string[] =>
  filters.length === 0
    ? []
    : wrap(
        filters.map(({ label, value }) => `${label}: ${value}`).join('   ·   '),
        contentWidth,
        filterStyle,
        maxFilterLines,
      );

/** Draws the logo in the corner of a page. Returns where the texts beside it begin. */
function drawLogo(painter: Painter, logo: LoadedImage): number {
  const { width, height } = logo.picture;
  const scale = Math.min(maxLogo.width / width, maxLogo.height / height);
  const box = { x: 0, y: 2, width: width * scale, height: maxLogo.height };
  painter.image(box, logo, 'whole');
  return box.width + 12;
}

function drawHeader(
  painter: Painter,
  { title, facts }: ExportedDocument,
  {
    filters,
    pageText,
    left,
  }: { readonly filters: readonly string[]; readonly pageText: string; readonly left: number },
): void {
  const pageWidth = widthOf(pageText, factStyle);
  const width = contentWidth - left;
  painter.text(left, 20, truncate(title, width - pageWidth - 20, titleStyle), titleStyle);
  painter.text(contentWidth - pageWidth, 20, pageText, factStyle);
  let y = titleHeight + 10;
  painter.text(left, y, truncate(facts.join('   ·   '), width, factStyle), factStyle);
  for (const line of filters) {
    y += lineHeight;
    painter.text(0, y, line, filterStyle);
  }
}
