/** In bytes of UTF-8. File systems allow 255, and endings and numbers are appended. */
const maxNameBytes = 200;
const maxCharacters = 100;

/** Names of devices on Windows, with any ending. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:[. ]|$)/i;

/**
 * Returns a name for a file, without its ending, that every file system accepts: without separators, wildcards, quotes, control
 * characters, dots that would hide the file, and the names of devices. Returns `file` if nothing is left.
 */
export function safeFileName(name: string): string {
  const shown = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\u2028\u2029/\\:*?"<>|]/gu, '-')
    .trim()
    .replace(/^\.+/, '');
  const cut = firstBytes(Array.from(shown).slice(0, maxCharacters));
  if (cut === '') return 'file';
  return deviceName.test(cut) ? `_${cut}` : cut;
}

function firstBytes(characters: readonly string[]): string {
  let text = '';
  let bytes = 0;
  for (const character of characters) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameBytes) break;
    text += character;
  }
  return text;
}
