import { readImageHeader, type ImageHeader, type ImageType } from '#shared/images/image-file.ts';
import { AtriumError } from '../base/errors.ts';

/** What an uploaded image may be, and how errors describe it. */
export interface ImageRules<Type extends ImageType> {
  readonly types: readonly Type[];
  readonly maxBytes: number;
  readonly isSmallEnough: (header: ImageHeader) => boolean;
  /** Such as “2 MiB”. */
  readonly sizeText: string;
  /** Such as “PNG or JPEG”. */
  readonly typesText: string;
  /** What follows the number of pixels of an image that has too many. */
  readonly pixelsText: string;
}

/** Reads an uploaded image, with what its header says. Throws `body_too_large`, and `unreadable_image` by the content of the file. */
export async function receiveImage<Type extends ImageType>(
  {
    lengthBytes = 0,
    chunks,
  }: { readonly lengthBytes: number | undefined; readonly chunks: AsyncIterable<Uint8Array> },
  rules: ImageRules<Type>,
): Promise<{ readonly file: Buffer; readonly header: ImageHeader & { readonly type: Type } }> {
  if (lengthBytes > rules.maxBytes) throw tooLarge(rules);
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > rules.maxBytes) throw tooLarge(rules);
    parts.push(chunk);
  }
  const file = Buffer.concat(parts);
  return { file, header: requireImage(file, rules) };
}

function requireImage<Type extends ImageType>(
  file: Buffer,
  { types, isSmallEnough, ...texts }: ImageRules<Type>,
): ImageHeader & { readonly type: Type } {
  const header = readImageHeader(file);
  const type = types.find((each) => each === header?.type);
  if (header === undefined || type === undefined) {
    throw unreadable(`The file is not a ${texts.typesText} image.`);
  }
  const { width, height } = header;
  if (!isSmallEnough(header)) {
    throw unreadable(`The image has ${width} × ${height} pixels. ${texts.pixelsText}`);
  }
  return { ...header, type };
}

const unreadable = (detail: string): AtriumError => new AtriumError('unreadable_image', detail);

const tooLarge = ({ sizeText }: Pick<ImageRules<ImageType>, 'sizeText'>): AtriumError =>
  new AtriumError('body_too_large', `The file is too large. It can have up to ${sizeText}.`);
