/** Downloads a file. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By then, the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns a file name that is valid on every system. */
export const fileNameOf = (name: string, end: string): string =>
  `${
    name
      .replaceAll(/[\s\p{C}<>:"/\\|?*]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'report'
  }.${end}`;
