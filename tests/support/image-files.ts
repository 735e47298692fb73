import { Buffer } from 'node:buffer';

/** A picture of one pixel, as PNG. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a PNG whose header claims a size. */
export function pngOf(width: number, height: number): Buffer {
  const file = Buffer.from(onePixel);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}
