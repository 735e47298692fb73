/** Downloads a file. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  followDownload(address, name);
  // By then, the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Lets the browser download from a URL, by default with the name that the response has. */
export function followDownload(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Returns a file name that is valid on every system. */
export const fileNameOf = (name: string, end: string): string =>
  `${
    name
      .replaceAll(/[\s\p{C}<>:"/\\|?*]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'report'
  }.${end}`;
