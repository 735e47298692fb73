/** So much of a name decides its place in a list. */
const sortNameLength = 80;
/** So much of a text, and so many words of it, are found. */
const searchedLength = 10_000;
const searchedWords = 1000;
const wordLength = 40;

/**
 * Returns a text without what people leave out or mix up when they search: case, accents, variants of a letter. Combining
 * marks are removed before normalizing, which sorts a run of them in quadratic time, and again after it has split letters.
 */
const foldText = (text: string): string =>
  text
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss');

/** Returns what a name is sorted by: short, so that indexes and cursors stay small. */
export const sortNameOf = (name: string): string =>
  cut(foldText(name.slice(0, 4 * sortNameLength)).trim(), sortNameLength);

/** Returns the words of some texts, folded, each once: runs of letters and digits. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap(
    (text) => foldText(text.slice(0, searchedLength)).match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  return [...new Set(words.map((word) => cut(word, wordLength)))].slice(0, searchedWords);
}

/** Cuts between code points, never within one. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : Array.from(text).slice(0, length).join('').toWellFormed();
