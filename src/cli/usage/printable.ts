/**
 * Returns a text on one line without control characters, so that a name can't control the terminal; longer ones are
 * shortened to 200 characters.
 */
export function printable(text: string): string {
  const line = text.replaceAll(/\p{Other}+/gu, ' ');
  return line.length <= 200 ? line : `${line.slice(0, 199).toWellFormed()}…`;
}

/** Returns a text of several lines without other control characters, some of which control a terminal. */
export const printableLines = (text: string): string => text.replaceAll(/(?![\n\t])\p{Control}/gu, ' ');
