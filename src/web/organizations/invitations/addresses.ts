/**
 * Returns the email addresses in a pasted text, each once. They can be separated by line breaks, commas, semicolons or spaces,
 * and have names (`Ada <ada@example.com>`). `rest` contains everything that is not an address.
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
