const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Returns a size as people read it: `812 B`, `1.4 GB`, in steps of 1,024. */
export function sizeInWords(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)));
  const value = bytes / 1024 ** step;
  return `${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step] ?? ''}`;
}
