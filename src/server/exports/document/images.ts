import { loadImage, type Image } from '@napi-rs/canvas';
import { readImageHeader } from '#shared/images/image-file.ts';
import { imageOfValue, type ShownImage } from '#shared/images/image-value.ts';
import type { ExportJob } from '../job.ts';

/** An image that can be drawn: on a canvas, or as it is in an SVG. */
export interface LoadedImage {
  readonly picture: Image;
  readonly dataUrl: string;
}

/** Returns an image; undefined if it was deleted, can't be read, or would need too much memory. */
export type LoadImage = (image: ShownImage) => Promise<LoadedImage | undefined>;

/** A decoded picture has four bytes for each pixel. */
const maxPixels = 64_000_000;

/** Returns a function that loads each image of a job once. */
export function imageLoader(images: ExportJob['images']): LoadImage {
  const loaded = new Map<string, Promise<LoadedImage | undefined>>();
  let pixels = 0;
  const load = async (dataUrl: string): Promise<LoadedImage | undefined> => {
    const file = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
    const { width = 0, height = 0 } = readImageHeader(file) ?? {};
    if (pixels + width * height > maxPixels) return undefined;
    pixels += width * height;
    try {
      return { picture: await loadImage(file), dataUrl };
    } catch {
      // Its header is that of an image, and what follows is not.
      return undefined;
    }
  };
  return (image) => {
    const shown = 'id' in image ? imageOfValue(images[image.id] ?? '') : image;
    if (shown === undefined || !('dataUrl' in shown)) return Promise.resolve(undefined);
    const known = loaded.get(shown.dataUrl) ?? load(shown.dataUrl);
    loaded.set(shown.dataUrl, known);
    return known;
  };
}
