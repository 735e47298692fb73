import { PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import type { ExportedDocument, ExportedWidget } from '../document/exported.ts';
import { contentWidth } from '../document/pages.ts';
import { drawPages } from '../document/picture.ts';
import type { ExportJob } from '../job.ts';
import { canvasPainter } from '../drawing/canvas-painter.ts';

/** A4 in landscape, in points. */
const page = { width: 842, height: 595 };
const margin = 28;
const scale = (page.width - 2 * margin) / contentWidth;

/** The size of a widget that has a page of its own, in cells of the grid. */
const wholePage = { x: 0, y: 0, w: 12, h: 10 };

/** Returns a PDF with the pages of a dashboard, or of one of its widgets. Texts and charts are vectors. */
export async function createPdf(
  document: ExportedDocument,
  single: ExportedWidget | undefined,
  { publicUrl }: Pick<ExportJob, 'publicUrl'>,
): Promise<Uint8Array> {
  const shown = single === undefined ? document : { ...document, grids: [{ widgets: [enlarge(single)] }] };
  const pictures = await drawPages(shown, (page.height - 2 * margin) / scale);
  const file = new PDFDocument({
    title: single === undefined ? document.title : `${document.title}: ${single.title}`,
    creator: 'Atrium',
  });
  for (const { draw } of pictures) {
    // Sound because it is the context of a canvas; its declared type is that of another library.
    const context = file.beginPage(page.width, page.height) as unknown as SKRSContext2D;
    // Inter draws some signs, such as the colon of a time, differently between certain others. These shapes couldn't be copied as text.
    context.textRendering = 'optimizeSpeed';
    context.translate(margin, margin);
    context.scale(scale, scale);
    draw(canvasPainter(context, publicUrl));
    file.endPage();
  }
  return file.close();
}

const enlarge = (exported: ExportedWidget): ExportedWidget => ({
  ...exported,
  widget: { ...exported.widget, layout: wholePage },
});
