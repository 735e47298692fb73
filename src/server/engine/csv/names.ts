const maxNameLength = 200;

/** Returns the names of columns by the cells of a header: on one line, never empty, and unique in upper and lower case. */
export function columnNames(header: readonly string[] | undefined, columnCount: number): string[] {
  const taken = new Set<string>();
  // Counts continue where the same name has ended, so that many equal names take linear time.
  const counts = new Map<string, number>();
  return Array.from({ length: columnCount }, (_, index) => {
    const cell = (header?.[index] ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
    const base = cell === '' ? `column_${index + 1}` : cut(cell, maxNameLength);
    const key = base.toLowerCase();
    let name = base;
    let count = counts.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) {
      count += 1;
      const end = `_${count}`;
      name = `${cut(base, maxNameLength - end.length)}${end}`;
    }
    counts.set(key, count);
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Cuts a text without splitting a character. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
