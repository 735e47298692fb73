/** Returns a value of a row as the source wrote it; undefined if it is null. */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const sampledRows = 60;
const maxWidthCh = 44;

/** Returns the width of a column in characters, from its name, its type and its first values. */
export function columnWidth(
  { name, sourceType }: { readonly name: string; readonly sourceType: string },
  index: number,
  rows: readonly (readonly unknown[])[],
): number {
  let longest = Math.max(name.length * 1.2, sourceType.length * 0.85);
  for (const row of rows.slice(0, sampledRows))
    longest = Math.max(longest, (cellText(row[index]) ?? '').length);
  return Math.min(Math.max(Math.ceil(longest) + 3, 8), maxWidthCh);
}
