/**
 * Each marker of a quote or a list at the start of a line opens a container in the one before, and the parser calls itself for
 * each: thousands of them overflow its stack.
 */
const maxMarkers = 31;

/** The time for finding which marks of emphasis belong together grows with the square of their number. */
const maxRuns = 1_500;

/** The time for finding which lines are underlines of headings grows with the square of their number. */
const maxUnderlines = 300;

/**
 * Returns a text that Markdown's parser reads quickly, and without an overflow of its stack. Marks that only a hostile text has so
 * many of are escaped.
 */
export const withFewMarks = (text: string): string =>
  withFewRuns(withFewUnderlines(withFewContainers(text.replaceAll(/\r\n?/g, '\n'))));

function withFewRuns(text: string): string {
  let runs = 0;
  return text.replaceAll(/[*_~]+/g, (run) => {
    runs += 1;
    return runs <= maxRuns ? run : run.replaceAll(/./g, String.raw`\$&`);
  });
}

/** Returns a text in which few lines have only the marks that make a heading of the line before: those of the others are escaped. */
function withFewUnderlines(text: string): string {
  let underlines = 0;
  return text.replaceAll(/^[ \t>]*(?:=+|-+)[ \t]*$/gm, (line) => {
    underlines += 1;
    return underlines <= maxUnderlines ? line : line.replace(/[=-]/, String.raw`\$&`);
  });
}

/** Returns a text in which no line starts with more than 31 markers of quotes or lists: the next one is escaped. */
const withFewContainers = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const end = endOfMarkers(line);
      return end === undefined ? line : `${line.slice(0, end)}\\${line.slice(end)}`;
    })
    .join('\n');

/** Returns where the first marker too many begins; undefined if there is none. */
function endOfMarkers(line: string): number | undefined {
  let markers = 0;
  let index = 0;
  while (index < line.length) {
    const length = markerAt(line, index);
    if (length === undefined) return undefined;
    // The dot of a number is what makes it a marker.
    if (length > 0 && ++markers > maxMarkers) return index + length - 1;
    index += Math.max(length, 1);
  }
  return undefined;
}

/** Returns the length of the marker that begins at a place: 0 for white space, undefined for anything else. */
function markerAt(line: string, index: number): number | undefined {
  const character = line.charAt(index);
  if (character === ' ' || character === '\t' || character === '\r') return 0;
  if (character === '>' || character === '-' || character === '+' || character === '*') return 1;
  let end = index;
  while (end < index + 9 && isDigit(line.charAt(end))) end += 1;
  const mark = line.charAt(end);
  return end > index && (mark === '.' || mark === ')') ? end - index + 1 : undefined;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
