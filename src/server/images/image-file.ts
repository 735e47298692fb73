import type { ImageType } from '#contract/images.ts';

/** What the header of an image says. */
export interface ImageHeader {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the type of a file by its content, and the size of its picture; undefined if it isn't an image of an allowed type. Only the
 * header is read, never the picture. What follows may be anything, such as HTML: the image is only ever served as its type.
 */
export function readImageHeader(file: Buffer): ImageHeader | undefined {
  const header = readPng(file) ?? readGif(file) ?? readWebp(file) ?? readJpeg(file);
  return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG, third edition, sections 5.2 and 11.2.1: the signature, then the chunk IHDR. */
function readPng(file: Buffer): ImageHeader | undefined {
  if (file.length < 33 || !file.subarray(0, 8).equals(pngSignature)) return undefined;
  if (file.toString('latin1', 12, 16) !== 'IHDR' || file.readUInt32BE(8) !== 13) return undefined;
  return { type: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** GIF89a, section 18: the signature, then the size of the logical screen. */
function readGif(file: Buffer): ImageHeader | undefined {
  const signature = file.toString('latin1', 0, 6);
  if (file.length < 13 || (signature !== 'GIF87a' && signature !== 'GIF89a')) return undefined;
  return { type: 'image/gif', width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
}

/** RFC 9649: a RIFF container with a lossy, a lossless or an extended first chunk. */
function readWebp(file: Buffer): ImageHeader | undefined {
  if (file.length < 30 || file.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (file.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const type = 'image/webp' as const;
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      if (file[20] !== 0x2f) return undefined;
      const bits = file.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** ITU T.81, annex B: segments up to the frame header, which has the size. */
function readJpeg(file: Buffer): ImageHeader | undefined {
  if (file[0] !== 0xff || file[1] !== 0xd8) return undefined;
  let position = 2;
  while (position + 9 <= file.length && file[position] === 0xff) {
    const marker = file[position + 1] ?? 0;
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (isFrameHeader(marker)) {
      return {
        type: 'image/jpeg',
        width: file.readUInt16BE(position + 7),
        height: file.readUInt16BE(position + 5),
      };
    }
    const length = file.readUInt16BE(position + 2);
    // The scan, whose data is no segment, comes after the frame header.
    if (marker === 0xda || length < 2) return undefined;
    position += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, without the tables DHT, JPG and DAC, which are in between. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
