import { isShowable, maxImageBytes, readImageHeader } from './image-file.ts';

/** An image to show: one that the organization uploaded, or the file itself as a `data:` URL. */
export type ShownImage = { readonly id: string } | { readonly dataUrl: string };

const imageId = /^[0-9a-f]{64}$/;

/** Whether a text can be the ID of an image: the SHA-256 of its file in hexadecimal. */
export const isImageId = (text: string): boolean => imageId.test(text);

/** What the address of an uploaded image starts with in a text in Markdown. */
export const imageScheme = 'image:';

const imageAddress = /image:([0-9a-f]{64})/g;

/** Returns the IDs of the images to which a text in Markdown refers. */
export const imageIdsInText = (text: string): string[] =>
  Array.from(text.matchAll(imageAddress), ([, id = '']) => id);

/** A file in Base64 has four characters for three bytes; before them can be the start of a `data:` URL. */
const maxValueLength = Math.ceil(maxImageBytes / 3) * 4 + 100;
const dataUrlStart = /^data:[\w.+/-]{1,80};base64,/;

/**
 * Returns the image that a value of a result is: the ID of an uploaded image, or a PNG, JPEG, WebP or GIF in Base64, also as a
 * `data:` URL. Undefined for anything else, such as the address of another server.
 */
export function imageOfValue(value: string): ShownImage | undefined {
  if (value.length > maxValueLength) return undefined;
  const text = value.trim();
  if (isImageId(text)) return { id: text };
  const base64 = text.replace(dataUrlStart, '');
  const header = readImageHeader(bytesOf(base64));
  return header !== undefined && isShowable(header)
    ? // By its content, whatever the value says.
      { dataUrl: `data:${header.type};base64,${base64}` }
    : undefined;
}

/** Returns what a text in Base64 has; nothing if it isn't Base64. */
function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
