import { create } from 'content-disposition';

/**
 * Returns the header field Content-Disposition of a file that people named (RFC 6266): in UTF-8 (RFC 8187), and
 * in ASCII for clients that can't read that. Characters that a file name may not contain become dashes.
 */
export function attachment(name: string, ending: string): string {
  const file = `${toFileName(name)}.${ending}`;
  return create(file, { fallback: file.replaceAll(/[^\x20-\x7e]|%/g, '-') });
}

/** Separators, wildcards, quotes and control characters, and dots that would hide the file. */
const toFileName = (name: string): string =>
  Array.from(
    name
      .toWellFormed()
      .replaceAll(/[\p{C}\u2028\u2029/\\:*?"<>|]/gu, '-')
      .trim()
      .replace(/^\.+/, ''),
  )
    .slice(0, 100)
    .join('') || 'file';
