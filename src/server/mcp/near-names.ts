/** Longer names are compared by their beginning. */
const comparedLength = 63;
/** How many names are compared, so that a source with many tables takes no longer. */
const maxNames = 2_000;
const maxFound = 5;

/** Returns the names that are written much like another, the nearest first. Case is ignored. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const target = fold(wanted);
  if (target === '') return [];
  // A third of the letters may differ.
  const most = Math.max(1, Math.floor(target.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names).values().take(maxNames)) {
    const candidate = fold(name);
    const isPart =
      target.length >= 3 &&
      candidate.length >= 3 &&
      (candidate.includes(target) || target.includes(candidate));
    const distance = isPart && candidate !== target ? 1 : distanceBetween(target, candidate, most);
    if (distance <= most) found.push({ name, distance });
  }
  return found
    .toSorted((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, maxFound)
    .map(({ name }) => name);
}

const fold = (name: string): string => name.slice(0, comparedLength).toLowerCase();

/**
 * Returns how many letters have to be inserted, removed, replaced or swapped with the next (optimal string alignment), or more than
 * `most` if it is more.
 */
function distanceBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const width = other.length + 1;
  // The rows of the two letters before, and of the current one.
  const rows = [0, 1, 2].map((row) => Uint8Array.from({ length: width }, (_, column) => row + column));
  for (let row = 1; row <= one.length; row += 1) {
    // Sound because there are three.
    const [before, last, current] = [row + 1, row + 2, row].map((index) => rows[index % 3]) as [
      Row,
      Row,
      Row,
    ];
    current[0] = row;
    let least = row;
    for (let column = 1; column < width; column += 1) {
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
        one.charCodeAt(row - 2) === other.charCodeAt(column - 1);
      const distance = Math.min(
        at(current, column - 1) + 1,
        at(last, column) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : most + 1,
      );
      current[column] = distance;
      if (distance < least) least = distance;
    }
    if (least > most) return most + 1;
  }
  return at(rows[one.length % 3] as Row, width - 1);
}

type Row = Uint8Array<ArrayBuffer>;

/** Sound because each row is as long as the compared name, and one more. */
const at = (row: Row, column: number): number => row[column] as number;
