/** The place in a query at which it failed. */
export interface FailedPlace {
  readonly line: number;
  readonly column: number | undefined;
  /** The lines around it, with their numbers, and a mark below the column. */
  readonly excerpt: string;
  /** The name at that place, without its quotes; undefined if there is none. */
  readonly name: string | undefined;
}

const linesAround = 2;
/** Of a line in the excerpt: a query can be one long line. */
const shownLength = 160;

/** A name, quoted or not, at the start of a text. */
const nameAtStart = /^(?:"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_$]*))/u;

/** Returns the place of a query that its line and column say, counted from 1, or undefined if the query has no such line. */
export function placeIn(query: string, line: number, column: number | undefined): FailedPlace | undefined {
  const lines = query.split('\n');
  const failed = lines[line - 1];
  if (failed === undefined) return undefined;
  // Characters, as the columns are counted.
  const before =
    column === undefined
      ? ''
      : Array.from(failed)
          .slice(0, column - 1)
          .join('');
  const from = Math.max(0, before.length - shownLength / 2);
  const excerpt = lines.flatMap((text, index) => {
    const number = index + 1;
    if (Math.abs(number - line) > linesAround) return [];
    const prefix = `${number}: `;
    const start = number === line ? from : 0;
    const shown = `${prefix}${text.slice(start, start + shownLength).toWellFormed()}`;
    if (number !== line || column === undefined) return [shown];
    return [shown, `${' '.repeat(prefix.length + before.length - start)}^`];
  });
  return { line, column, excerpt: excerpt.join('\n'), name: nameAt(failed.slice(before.length)) };
}

/** Returns the last part of the name at the start of a text, such as the column of `table.column`. */
function nameAt(text: string): string | undefined {
  let rest = text.slice(0, 1_000);
  let name: string | undefined;
  for (;;) {
    const match = nameAtStart.exec(rest);
    if (match === null) return name;
    name = match[1]?.replaceAll('""', '"') ?? match[2];
    rest = rest.slice(match[0].length);
    if (!rest.startsWith('.')) return name;
    rest = rest.slice(1);
  }
}
