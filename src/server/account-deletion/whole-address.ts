/** Characters around which a text can have an address, such as quotes, although an address could begin with them. */
const opening = /^[*'`=|{/?&]*/;

/** Replaces an address, in lower case, where it is whole: not the end or the start of a longer one, which is somebody else's. */
export const replaceAddress = (text: string, email: string, replacement: string): string =>
  text.replaceAll(/[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~@-]+/gu, (run) => {
    for (const before of ['', opening.exec(run)?.[0] ?? '']) {
      const end = before.length + email.length;
      const rest = run.slice(end);
      const isWhole =
        run.slice(before.length, end).toLowerCase() === email && !/^(?:-|\.?[\p{L}\p{N}])/u.test(rest);
      if (isWhole) return `${before}${replacement}${rest}`;
    }
    return run;
  });

/**
 * Replaces a whole address in the strings of a JSON text. In the text itself, the escape of a line break before an address could be
 * taken for the start of a longer one. Returns the same text if it doesn't have the address.
 */
export function replaceInJson(json: string, email: string, replacement: string): string {
  let isChanged = false;
  const value: unknown = JSON.parse(json, (_key, each: unknown) => {
    if (typeof each !== 'string') return each;
    const replaced = replaceAddress(each, email, replacement);
    if (replaced !== each) isChanged = true;
    return replaced;
  });
  return isChanged ? JSON.stringify(value) : json;
}

/** Whether a JSON text has a whole address in one of its strings. */
export const jsonHasAddress = (json: string, email: string): boolean =>
  replaceInJson(json, email, '') !== json;
