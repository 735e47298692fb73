import { createCanvas, loadImage, type Image } from '@napi-rs/canvas';
import type { Box } from '../../../src/server/exports/drawing/painter.ts';

/** The pixels of a picture, with four bytes for each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export const readPicture = async (file: Buffer): Promise<Image> => loadImage(file);

/** Returns a part of a picture, in pixels of the page; each is the average of those of a screen with a higher density. */
export function cutOut(picture: Image, { x, y, width, height }: Box, density: number): Pixels {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const detailed = createCanvas(width * density, height * density);
  detailed.getContext('2d').drawImage(picture, -x * density, -y * density);
  const { data: from } = detailed.getContext('2d').getImageData(0, 0, detailed.width, detailed.height);
  const result = context.getImageData(0, 0, width, height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let dy = 0; dy < density; dy += 1)
          for (let dx = 0; dx < density; dx += 1)
            sum += from[4 * ((row * density + dy) * detailed.width + column * density + dx) + channel] ?? 0;
        result.data[4 * (row * width + column) + channel] = sum / density ** 2;
      }
  return { width, height, data: result.data };
}

/** How far a line or a letter may be from where it is in the other picture, in pixels. */
const reach = 2;
/** How different a channel of a color may be, of 255: the edge of a letter has a color between that of the letter and the surface. */
const maxColorDifference = 56;
/** The side of the squares in which differences are counted, in pixels. */
const squareSide = 24;

/**
 * Returns how many pixels of a square have no pixel of a similar color nearby in the other picture, in the square where they are
 * the most. Edges and letters that are drawn a little differently count nothing, and a line or a word that is missing in either
 * picture counts all of its pixels.
 */
export function differenceOf(one: Pixels, other: Pixels): number {
  return Math.max(missing(one, other), missing(other, one));
}

function missing(from: Pixels, within: Pixels): number {
  const { width, height } = from;
  const across = Math.ceil(width / squareSide);
  const counts = new Map<number, number>();
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (isNear(from, within, x, y)) continue;
      const square = Math.floor(y / squareSide) * across + Math.floor(x / squareSide);
      counts.set(square, (counts.get(square) ?? 0) + 1);
    }
  return Math.max(0, ...counts.values());
}

function isNear(from: Pixels, within: Pixels, x: number, y: number): boolean {
  const at = 4 * (y * from.width + x);
  // The same place first, where nearly all pixels are found.
  if (colorDifference(from.data, at, within.data, 4 * (y * within.width + x)) <= maxColorDifference)
    return true;
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1) {
      const [nearX, nearY] = [x + dx, y + dy];
      if (nearX < 0 || nearY < 0 || nearX >= within.width || nearY >= within.height) continue;
      const near = 4 * (nearY * within.width + nearX);
      if (colorDifference(from.data, at, within.data, near) <= maxColorDifference) return true;
    }
  return false;
}

const colorDifference = (
  one: Uint8ClampedArray,
  at: number,
  other: Uint8ClampedArray,
  near: number,
): number =>
  Math.max(
    Math.abs((one[at] ?? 0) - (other[near] ?? 0)),
    Math.abs((one[at + 1] ?? 0) - (other[near + 1] ?? 0)),
    Math.abs((one[at + 2] ?? 0) - (other[near + 2] ?? 0)),
  );
