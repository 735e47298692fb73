/** Hands a file to the browser, which keeps it where downloads go. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns a name of a file that every system takes. */
export const fileNameOf = (name: string, end: string): string =>
  `${
    name
      .replaceAll(/[\s\p{C}<>:"/\\|?*]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'report'
  }.${end}`;
