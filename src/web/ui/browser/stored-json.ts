/** Stores a value under a name in this browser. Returns whether there was enough space for it. Never for secrets. */
export function storeJson(storage: Pick<Storage, 'setItem'>, name: string, value: unknown): boolean {
  try {
    storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the value stored under a name, as `read` parses it; undefined when there is none or it can't be read, such as one
 * that another version of the application stored in another form.
 */
export function findJson<Value>(
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
