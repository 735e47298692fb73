/** Returns a key of any text as a part of a JSON pointer (RFC 6901). It is cut off, so that a pointer is never larger than the body. */
export const pointerTo = (key: string): string =>
  `/${key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
