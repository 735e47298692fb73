/** Keeps a value under a name in a storage of the browser. Returns whether there was room for it. Never for secrets. */
export function keepJson(storage: Pick<Storage, 'setItem'>, name: string, value: unknown): boolean {
  try {
    storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns what is kept under a name, as `read` makes sense of it; undefined when there is nothing that can be read, as
 * what another version of the application kept in another form.
 */
export function findKept<Value>(
  storage: Pick<Storage, 'getItem'>,
  name: string,
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  const text = storage.getItem(name);
  if (text === null) return undefined;
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}
