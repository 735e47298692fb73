import { t } from '#shared/language/messages.ts';

/** The limits of Excel. */
const maxLength = 31;
const forbidden = /[[\]:*?/\\\p{Cc}\u2028\u2029]+/gu;
const reserved: ReadonlySet<string> = new Set(['history']);

/** Returns a name for each sheet: its title, without the characters that Excel doesn't allow, and different from the others. */
export function sheetNames(titles: readonly string[]): string[] {
  const taken = new Set(reserved);
  return titles.map((title) => {
    const name = toName(title);
    let unique = shorten(name, maxLength);
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) {
      const end = ` (${count})`;
      unique = shorten(name, maxLength - end.length) + end;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

function toName(title: string): string {
  let name = shorten(title.slice(0, 1_000).toWellFormed().replaceAll(forbidden, ' ').trim(), maxLength);
  // An apostrophe must be neither first nor last.
  while (name.startsWith("'")) name = name.slice(1).trim();
  while (name.endsWith("'")) name = name.slice(0, -1).trim();
  return name || t('Sheet');
}

/** Counts UTF-16 code units, as Excel does, and leaves no half of a character. */
function shorten(text: string, length: number): string {
  let shortened = '';
  for (const character of text) {
    if (shortened.length + character.length > length) break;
    shortened += character;
  }
  return shortened.trim();
}
