/** Returns a path with a bar for each count, in a box of `size` by 100. The highest bar is as high as the box. */
export function barsPath(counts: ArrayLike<number>, size: number): string {
  let highest = 0;
  for (let index = 0; index < size; index += 1) highest = Math.max(highest, counts[index] ?? 0);
  if (highest === 0) return '';
  let path = '';
  for (let index = 0; index < size; index += 1) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    // Even a single row is visible.
    const height = Math.max((count / highest) * 100, 1.5);
    path += `M${index + 0.06} 100v-${height.toFixed(2)}h.88V100z`;
  }
  return path;
}
