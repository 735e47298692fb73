import { create } from 'content-disposition';
import { safeFileName } from '../../base/texts/file-name.ts';

/**
 * Returns the header field Content-Disposition of a file that people named (RFC 6266): in UTF-8 (RFC 8187), and
 * in ASCII for clients that can't read that. Characters that a file name may not contain become dashes.
 */
export function attachment(name: string, ending: string): string {
  const file = `${safeFileName(name)}.${ending}`;
  return create(file, { fallback: file.replaceAll(/[^\x20-\x7e]|%/g, '-') });
}
