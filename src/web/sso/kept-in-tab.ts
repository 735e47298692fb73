/** Returns what this tab keeps under a name, as far as `read` makes sense of it. Never for secrets. */
export function readKept<Value>(key: string, read: (value: unknown) => Value | undefined): Value | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const keep = (key: string, value: unknown): void => sessionStorage.setItem(key, JSON.stringify(value));

export const forget = (key: string): void => sessionStorage.removeItem(key);
