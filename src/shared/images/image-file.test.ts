import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { onePixel, pngOf } from '../../../tests/support/image-files.ts';
import { readImageHeader } from './image-file.ts';

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const jpeg = (...segments: readonly number[][]) => bytes([0xff, 0xd8], ...segments, zeros(16));
const frame = [0xff, 0xc2, 0, 17, 8, 0, 200, 1, 44];
const largeFrame = [0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff];
/** A marker without a length, after which browsers find a large frame; its bytes would be the length of a segment. */
const hidden = (marker: number) => jpeg([0xff, marker], largeFrame, zeros(0xffc0 - largeFrame.length), frame);
const gif = (screen: readonly number[], ...blocks: readonly number[][]) => bytes('GIF89a', screen, ...blocks);
const gifFrame = (width: number, height: number) => {
  const parts = [5, 7, width, height].flatMap((part) => [part & 0xff, part >> 8]);
  return [0x2c, ...parts, 0, 2, 2, 0x44, 1, 0, 0x3b];
};
const riff = (chunk: string, ...rest: readonly number[]) =>
  bytes('RIFF', zeros(4), 'WEBP', chunk, zeros(4), rest, zeros(20));

describe('the header of an image', () => {
  const cases: readonly (readonly [what: string, file: Buffer, shown: string | undefined])[] = [
    ['of a PNG', onePixel, 'image/png 1×1'],
    ['of a large PNG', pngOf(70_000, 3), 'image/png 70000×3'],
    ['of a GIF', gif([4, 1, 2, 0, 0, 0, 0], gifFrame(9, 1)), 'image/gif 260×8'],
    [
      'of a GIF, after colors and other blocks',
      gif([4, 1, 2, 0, 0x81, 0, 0], zeros(12), [0x21, 0xf9, 2, 0x2c, 9, 1, 0x2c, 0], gifFrame(9, 1)),
      'image/gif 260×8',
    ],
    [
      'of a GIF whose frame is larger than its screen',
      gif([1, 0, 1, 0, 0, 0, 0], gifFrame(60_000, 50_000)),
      'image/gif 60005×50007',
    ],
    ['of a GIF without a frame', gif([1, 0, 1, 0, 0, 0, 0], [0x3b], zeros(20)), undefined],
    [
      'of a GIF that ends in a block',
      gif([1, 0, 1, 0, 0, 0, 0], [0x21, 0xfe, 200, 1, 2, 3, 4, 5, 6]),
      undefined,
    ],
    [
      'of a JPEG, after other segments',
      jpeg([0xff, 0xe0, 0, 4, 1, 2], [0xff, 0xff, 0xc4, 0, 3, 9], frame),
      'image/jpeg 300×200',
    ],
    ['of a lossy WebP', riff('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 10, 0, 20, 0), 'image/webp 10×20'],
    ['of a lossless WebP', riff('VP8L', 0x2f, 9, 0xc0, 4, 0), 'image/webp 10×20'],
    ['of an extended WebP', riff('VP8X', 0, 0, 0, 0, 9, 0, 0, 19, 0, 0), 'image/webp 10×20'],
    ['of a PNG without pixels', pngOf(0, 5), undefined],
    ['of SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), undefined],
    ['of SVG after a byte order mark', bytes([0xef, 0xbb, 0xbf], '<svg></svg>', zeros(40)), undefined],
    ['of HTML', bytes('<!doctype html><script>alert(1)</script>', zeros(40)), undefined],
    ['of BMP', bytes('BM', zeros(60)), undefined],
    ['of AVIF', bytes(zeros(4), 'ftypavif', zeros(40)), undefined],
    ['of a JPEG without a frame', jpeg([0xff, 0xda, 0, 8, 0, 0]), undefined],
    ['of a JPEG with a frame behind TEM', hidden(0x01), undefined],
    ['of a JPEG with a frame behind RST0', hidden(0xd0), undefined],
    ['of a JPEG with a frame behind a zero', hidden(0x00), undefined],
    ['of a JPEG with a segment of no length', jpeg([0xff, 0xe0, 0, 0]), undefined],
    ['of a WebP without a picture', riff('EXIF'), undefined],
    ['of nothing', Buffer.alloc(0), undefined],
    ['of a cut PNG', onePixel.subarray(0, 20), undefined],
  ];
  for (const [what, file, shown] of cases) {
    test(what, () => {
      const header = readImageHeader(file);
      assert.equal(header && `${header.type} ${header.width}×${header.height}`, shown);
    });
  }

  test('is read from any bytes', () => {
    const starts = cases.map(([, file]) => file);
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.nat(60),
        fc.uint8Array({ maxLength: 60 }),
        (start, length, rest) => {
          readImageHeader(Buffer.concat([start.subarray(0, length), rest]));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('of a file of padding is read in linear time', () => {
    const file = Buffer.alloc(2 * 1024 ** 2, 0xff);
    file[1] = 0xd8;
    assert.equal(readImageHeader(file), undefined);
    const gifOf = (block: readonly number[]) =>
      gif([1, 0, 1, 0, 0, 0, 0], Array.from({ length: 500_000 }, () => block).flat());
    for (const block of [[0x21], [0x21, 0, 0], [0x21, 0, 1, 0x21]])
      assert.equal(readImageHeader(gifOf(block)), undefined);
  });
});
