/**
 * Returns the header field Content-Disposition of a file with a name that people gave (RFC 6266): as it is for those who
 * read UTF-8 (RFC 8187), and in ASCII for the others. What no file may be called becomes a dash.
 */
export function attachment(name: string, ending: string): string {
  const file = `${toFileName(name)}.${ending}`;
  const ascii = file.replaceAll(/[^\x20-\x7e]|%/g, '-');
  const encoded = encodeURIComponent(file).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"${ascii === file ? '' : `; filename*=UTF-8''${encoded}`}`;
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
