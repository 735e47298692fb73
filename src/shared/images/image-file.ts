/** The media types of images. SVG isn't one of them: it can have scripts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type ImageType = (typeof imageTypes)[number];

/** What the header of an image says. */
export interface ImageHeader {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Limits of every image that pages show: a small file can have a picture that fills the memory of a browser. */
export const maxImageBytes = 2 * 1024 ** 2;
const maxSidePixels = 8_192;
const maxPixels = 32_000_000;

/** Whether a picture is small enough to be shown. */
export const isShowable = ({ width, height }: Pick<ImageHeader, 'width' | 'height'>): boolean =>
  Math.max(width, height) <= maxSidePixels && width * height <= maxPixels;

/**
 * Returns the type of a file by its content, and the size of its picture; undefined if it isn't an image of an allowed type. Only the
 * header is read, never the picture. What follows may be anything, such as HTML: the image is only ever served as its type.
 */
export function readImageHeader(file: Uint8Array): ImageHeader | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
}

/** Returns bytes as Latin-1 text. */
const textAt = (file: DataView, start: number, length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(file.getUint8(start + index))).join('');

/** PNG, third edition, sections 5.2 and 11.2.1: the signature, then the chunk IHDR. */
function readPng(file: DataView): ImageHeader | undefined {
  if (file.byteLength < 33 || textAt(file, 0, 8) !== '\u0089PNG\r\n\u001A\n') return undefined;
  if (textAt(file, 12, 4) !== 'IHDR' || file.getUint32(8) !== 13) return undefined;
  return { type: 'image/png', width: file.getUint32(16), height: file.getUint32(20) };
}

/**
 * GIF89a, sections 18 to 26: the signature and the size of the logical screen, then blocks up to the first frame. Browsers enlarge
 * the picture if the frame is larger than the screen.
 */
function readGif(file: DataView): ImageHeader | undefined {
  if (file.byteLength < 13) return undefined;
  const signature = textAt(file, 0, 6);
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return undefined;
  const flags = file.getUint8(10);
  let position = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (position + 10 <= file.byteLength && file.getUint8(position) === 0x21)
    position = endOfBlocks(file, position + 2);
  if (position + 10 > file.byteLength || file.getUint8(position) !== 0x2c) return undefined;
  const sizeOf = (screen: number, start: number, length: number): number =>
    Math.max(
      file.getUint16(screen, true),
      file.getUint16(position + start, true) + file.getUint16(position + length, true),
    );
  return { type: 'image/gif', width: sizeOf(6, 1, 5), height: sizeOf(8, 3, 7) };
}

/** Returns where the blocks of data end that start at a position, each with its length first; the last has none. */
function endOfBlocks(file: DataView, start: number): number {
  let position = start;
  while (position < file.byteLength && file.getUint8(position) !== 0) position += 1 + file.getUint8(position);
  return position + 1;
}

/** RFC 9649: a RIFF container with a lossy, a lossless or an extended first chunk. */
function readWebp(file: DataView): ImageHeader | undefined {
  if (file.byteLength < 30 || textAt(file, 0, 4) !== 'RIFF') return undefined;
  if (textAt(file, 8, 4) !== 'WEBP') return undefined;
  const type = 'image/webp' as const;
  switch (textAt(file, 12, 4)) {
    case 'VP8 ':
      return { type, width: file.getUint16(26, true) & 0x3fff, height: file.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      if (file.getUint8(20) !== 0x2f) return undefined;
      const bits = file.getUint32(21, true);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      // 24 bits each.
      return {
        type,
        width: (file.getUint32(24, true) & 0xffffff) + 1,
        height: (file.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return undefined;
  }
}

/** ITU T.81, annex B: segments up to the frame header, which has the size. */
function readJpeg(file: DataView): ImageHeader | undefined {
  if (file.byteLength < 2 || file.getUint16(0) !== 0xffd8) return undefined;
  let position = 2;
  while (position + 9 <= file.byteLength && file.getUint8(position) === 0xff) {
    const marker = file.getUint8(position + 1);
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (isFrameHeader(marker)) {
      return {
        type: 'image/jpeg',
        width: file.getUint16(position + 7),
        height: file.getUint16(position + 5),
      };
    }
    const length = file.getUint16(position + 2);
    // Of others, some have no length, so that a browser would find another frame header than this.
    if (!isSegment(marker) || length < 2) return undefined;
    position += 2 + length;
  }
  return undefined;
}

/** What can be before the frame header: DHT, DAC, DQT, DRI, APP0 to APP15 and COM. */
const isSegment = (marker: number): boolean =>
  [0xc4, 0xcc, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);

/** SOF0 to SOF15, without the tables DHT, JPG and DAC, which are in between. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
