/** How many characters of a name are used for sorting. */
const sortNameLength = 80;
/** How many characters, and how many words, of a text can be found. */
const searchedLength = 10_000;
const searchedWords = 1000;
const wordLength = 40;

/**
 * Returns a text without differences that people ignore when they search: case, accents, variants of a letter.
 * Combining marks are removed before normalizing, which sorts a run of them in quadratic time, and again after it has
 * split letters.
 */
const foldText = (text: string): string =>
  text
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss');

/** Returns the sort key of a name: short, so that indexes and cursors stay small. */
export const sortNameOf = (name: string): string =>
  cut(foldText(name.slice(0, 4 * sortNameLength)).trim(), sortNameLength);

/** Returns the unique words of these texts, folded: runs of letters and digits. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap(
    (text) => foldText(text.slice(0, searchedLength)).match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  return [...new Set(words.map((word) => cut(word, wordLength)))].slice(0, searchedWords);
}

/** Truncates a text between code points. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : Array.from(text).slice(0, length).join('').toWellFormed();
