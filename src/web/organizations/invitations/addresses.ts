/**
 * Returns the addresses in a text as people paste them: one a line, or between commas, semicolons or spaces, with names
 * before them (`Ada <ada@example.com>`) or without; each once. What is no address is in `rest`.
 */
export function readAddresses(text: string): { addresses: string[]; rest: string[] } {
  const addresses = new Map<string, string>();
  const rest: string[] = [];
  for (const part of text.split(/[\n\r,;]+/)) {
    const inBrackets = [...part.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim());
    for (const word of inBrackets.length > 0 ? inBrackets : part.split(/\s+/)) {
      if (word === '') continue;
      if (/^[^\s@]+@[^\s@]+$/.test(word)) addresses.set(word.toLowerCase(), word);
      else rest.push(word);
    }
  }
  return { addresses: [...addresses.values()], rest };
}
