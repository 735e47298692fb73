/** Returns a text for an email: on one line, without characters that a header or a reader could take for something else. */
export const onOneLine = (text: string): string =>
  shortened(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), 100);

/** Returns the start of a text, with a mark if it is longer. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
