import { widthOf } from './fonts.ts';
import type { TextStyle } from './painter.ts';

type Font = Pick<TextStyle, 'size' | 'weight'>;

/** No line of a picture has more characters. Measuring a text takes time in proportion to its length. */
const maxLineCharacters = 2_000;

/** Returns a text without what can't be drawn: control characters, and halves of surrogate pairs. Line breaks become spaces. */
export const drawable = (text: string): string =>
  text
    .slice(0, maxLineCharacters)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Returns a text that fits into a width, with an ellipsis in place of what doesn't. */
export function truncate(text: string, width: number, font: Font): string {
  const whole = drawable(text);
  if (widthOf(whole, font) <= width) return whole;
  const characters = Array.from(whole);
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (widthOf(`${characters.slice(0, count).join('')}…`, font) <= width) fits = count;
    else tooMany = count;
  }
  return fits === 0 ? '' : `${characters.slice(0, fits).join('').trimEnd()}…`;
}

/** Returns the lines of a text in a width. Words that are too long are broken, and the last line ends with an ellipsis if more follows. */
export function wrap(text: string, width: number, font: Font, maxLines: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|\r|\n/u, maxLines + 1)) {
    let line = '';
    for (const word of drawable(paragraph).split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (widthOf(longer, font) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (lines.length <= maxLines && widthOf(line, font) > width) {
        const part = breakWord(line, width, font);
        lines.push(part);
        line = line.slice(part.length);
      }
      if (lines.length > maxLines) break;
    }
    lines.push(line);
    if (lines.length > maxLines) break;
  }
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1] ?? '';
  return [...lines.slice(0, maxLines - 1), truncate(`${last} …`, width, font)];
}

/** Returns the start of a word that fits, at least one character. */
function breakWord(word: string, width: number, font: Font): string {
  const characters = Array.from(word);
  let [fits, tooMany] = [1, characters.length];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (widthOf(characters.slice(0, count).join(''), font) <= width) fits = count;
    else tooMany = count;
  }
  return characters.slice(0, fits).join('');
}
