const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes as text, such as `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${units[power] ?? ''}`;
}
