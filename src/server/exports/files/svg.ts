import { lightTheme as theme } from '#charts/drawing/palette.ts';
import type { ExportedDocument, ExportedWidget } from '../document/exported.ts';
import { drawDocument, drawSingle } from '../document/picture.ts';
import { svgPainter } from '../drawing/svg-painter.ts';
import { escapeXml } from './xml.ts';

/** Returns an SVG of a dashboard, or of one of its widgets. It refers to nothing outside of it. */
export async function createSvg(
  document: ExportedDocument,
  single: ExportedWidget | undefined,
): Promise<Uint8Array> {
  const { width, height, margin, draw } =
    single === undefined ? await drawDocument(document) : await drawSingle(single, document);
  const painter = svgPainter();
  const whole = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
  painter.rectangle(whole, { fill: theme.surface });
  draw(painter);
  const [w, h] = [Math.ceil(whole.width), Math.ceil(whole.height)];
  const { title, filters, facts } = document;
  // What a screen reader reads first: a picture of one widget has no header.
  const shown = [
    single === undefined ? [] : title,
    filters.map(({ label, value }) => `${label}: ${value}`),
    facts,
  ];
  const description = escapeXml(shown.flat(2).join(' · '));
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${-margin} ${-margin} ${w} ${h}">\n` +
      `<title>${escapeXml(single?.title ?? title)}</title>\n<desc>${description}</desc>\n${painter.toText()}\n</svg>\n`,
  );
}
