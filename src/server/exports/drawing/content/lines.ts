import { widthOf } from '../fonts.ts';
import { drawable } from '../text.ts';
import type { Run } from './runs.ts';

/** A text at a place of a line, in pixels from its start. */
export interface PlacedText extends Run {
  readonly x: number;
  readonly width: number;
}

/** A line of texts in the order in which they are seen, from the left. */
export interface Line {
  readonly texts: readonly PlacedText[];
  readonly width: number;
}

/** No word needs more characters to fill a line. Measuring a text takes time in proportion to its length. */
const maxCharactersOfLine = 400;

/** What lines can be broken after, other than spaces: hyphens, and each letter of scripts without spaces. */
const parts =
  /[\n]|[ \t]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]|(?:[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}-]|[^\S\n\t ])+-*|-+/gu;
const isSpace = /^[ \t]+$/;
const isRightToLeft = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const isLeftToRight = /\p{L}/u;
const wideLetter = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]$/u;

type Piece = Omit<PlacedText, 'x'>;

/**
 * Returns the lines of a text in a width, at most `maxLines`. A word that is too long is broken. A line in which there are words
 * that are written from right to left has them in the order in which they are seen.
 */
export function linesOf(runs: readonly Run[], width: number, maxLines: number): Line[] {
  const lines: Line[] = [];
  let line: Piece[] = [];
  let used = 0;
  let space: Piece | undefined;
  let word: Piece[] = [];
  const endLine = (): void => {
    lines.push(placed(line));
    [line, used, space] = [[], 0, undefined];
  };
  const add = (piece: Piece): void => {
    line.push(piece);
    used += piece.width;
  };
  const endWord = (): void => {
    if (word.length === 0) return;
    const wordWidth = sumOf(word);
    if (line.length > 0 && used + (space?.width ?? 0) + wordWidth > width + 0.01) endLine();
    if (line.length > 0 && space !== undefined) add(space);
    space = undefined;
    if (wordWidth <= width) for (const piece of word) add(piece);
    else for (const piece of word) addBroken(piece);
    word = [];
  };
  const addBroken = (piece: Piece): void => {
    let rest = Array.from(piece.text);
    while (rest.length > 0 && lines.length < maxLines) {
      const count = fittingCount(rest, width - used, piece, line.length === 0);
      if (count > 0) add(pieceOf(piece, rest.slice(0, count).join('')));
      rest = rest.slice(count);
      if (rest.length > 0) endLine();
    }
  };
  for (const run of runs) {
    for (const [text] of run.text.matchAll(parts)) {
      if (lines.length >= maxLines) return lines.slice(0, maxLines);
      if (text === '\n') {
        endWord();
        endLine();
      } else if (isSpace.test(text)) {
        endWord();
        // Spaces at the start of a line aren't shown.
        if (line.length > 0) space ??= pieceOf(run, ' ');
      } else {
        if (wideLetter.test(text)) endWord();
        word.push(pieceOf(run, text));
        if (wideLetter.test(text) || text.endsWith('-')) endWord();
      }
    }
  }
  endWord();
  if (line.length > 0) endLine();
  return lines.slice(0, maxLines);
}

/** Returns the width of the longest line of a text that isn't wrapped. */
export const widthOfRuns = (runs: readonly Run[]): number =>
  linesOf(runs, Infinity, maxMeasuredLines).reduce((widest, { width }) => Math.max(widest, width), 0);

const maxMeasuredLines = 20;

const pieceOf = (run: Run, text: string): Piece => {
  const shown = drawable(text);
  return { ...run, text: shown, width: widthOf(shown, run.style) };
};

const sumOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0);

/** Returns how many of the characters fit; at least one in a line that has nothing else. */
function fittingCount(
  characters: readonly string[],
  width: number,
  { style }: Run,
  isFirst: boolean,
): number {
  let [fits, tooMany] = [0, Math.min(characters.length, maxCharactersOfLine) + 1];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (widthOf(drawable(characters.slice(0, count).join('')), style) <= width) fits = count;
    else tooMany = count;
  }
  return isFirst ? Math.max(fits, 1) : fits;
}

/** Returns a line with the places of its pieces. Neighbors of one style are one text, so that they can be found in a file. */
function placed(pieces: readonly Piece[]): Line {
  const texts: PlacedText[] = [];
  let x = 0;
  const isMixed = pieces.some(({ text }) => isRightToLeft.test(text));
  for (const piece of isMixed ? inVisualOrder(pieces) : pieces) {
    const last = texts.at(-1);
    if (!isMixed && last !== undefined && isAlike(last, piece))
      texts[texts.length - 1] = { ...last, text: last.text + piece.text, width: last.width + piece.width };
    else texts.push({ ...piece, x });
    x += piece.width;
  }
  return { texts, width: x };
}

const isAlike = (one: Run, other: Run): boolean =>
  one.style === other.style &&
  one.href === other.href &&
  one.isUnderlined === other.isUnderlined &&
  one.isStruck === other.isStruck;

/**
 * Returns the pieces of a line as they are seen from the left, in a paragraph that is written from left to right, as on the page:
 * words from right to left that follow each other are in the opposite order.
 */
function inVisualOrder(pieces: readonly Piece[]): Piece[] {
  const ordered: Piece[] = [];
  let index = 0;
  while (index < pieces.length) {
    const piece = pieces[index];
    if (piece === undefined) break;
    const end = isRightToLeft.test(piece.text) ? endOfRightToLeft(pieces, index) : index + 1;
    if (end === index + 1 && !isRightToLeft.test(piece.text)) ordered.push(piece);
    else ordered.push(...pieces.slice(index, end).toReversed().map(fromRight));
    index = end;
  }
  return ordered;
}

const fromRight = (piece: Piece): Piece => ({ ...piece, style: { ...piece.style, isRightToLeft: true } });

/** Returns where the last word from right to left ends before the next word from left to right. */
function endOfRightToLeft(pieces: readonly Piece[], start: number): number {
  let end = start + 1;
  for (let index = start + 1; index < pieces.length; index += 1) {
    const text = pieces[index]?.text ?? '';
    if (isRightToLeft.test(text)) end = index + 1;
    else if (isLeftToRight.test(text)) break;
  }
  return end;
}
