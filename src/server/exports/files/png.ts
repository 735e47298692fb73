import { createCanvas } from '@napi-rs/canvas';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import type { ExportedDocument, ExportedWidget } from '../document/exported.ts';
import { drawDocument, drawSingle } from '../document/picture.ts';
import { canvasPainter } from '../drawing/canvas-painter.ts';
import { TooLarge } from '../job.ts';

/** Pixels of a picture for each pixel of the page, as on screens of high density. */
const density = 2;
/** The memory of a picture is four bytes for each. */
const maxPixels = 100_000_000;
/** Larger pictures can't be opened by many programs. */
const maxSide = 32_000;

/** Returns a PNG of a dashboard, or of one of its widgets. Large ones have a lower density. */
export async function createPng(
  document: ExportedDocument,
  single: ExportedWidget | undefined,
): Promise<Uint8Array> {
  const { width, height, margin, draw } =
    single === undefined ? await drawDocument(document) : await drawSingle(single, document);
  const scale = [density, 1].find((each) => fits((width + 2 * margin) * each, (height + 2 * margin) * each));
  if (scale === undefined)
    throw new TooLarge(
      'The dashboard is too tall for a PNG. Export it as PDF or SVG, or export single widgets.',
    );
  const [w, h] = [width + 2 * margin, height + 2 * margin].map((side) => Math.ceil(side * scale));
  const canvas = createCanvas(w ?? 1, h ?? 1);
  const context = canvas.getContext('2d');
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.translate(margin, margin);
  draw(canvasPainter(context));
  return canvas.encode('png');
}

const fits = (width: number, height: number): boolean =>
  Math.max(width, height) <= maxSide && width * height <= maxPixels;
