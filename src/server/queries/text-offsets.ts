/*
 * Engines tell places in the bytes or the code points of a text; here they are in characters of JavaScript, of which some
 * code points are two.
 */

export const offsetOfByte = (text: string, byteOffset: number): number =>
  Buffer.from(text).subarray(0, byteOffset).toString().length;

export const offsetOfCodePoint = (text: string, codePointOffset: number): number =>
  Array.from(text).slice(0, codePointOffset).join('').length;
