/** The value of a name in a query string: a text, a list if the name is repeated, or undefined if it is missing. */
export type SearchValue = string | readonly string[] | undefined;
/** The query string of a URL: only texts, as in the API. */
export type Search = Readonly<Record<string, SearchValue>>;

/** Returns the value of a name. Safe for names that every object inherits, such as `constructor`. */
export const givenIn = (search: Search, name: string): SearchValue =>
  Object.hasOwn(search, name) ? search[name] : undefined;

/**
 * Parses the query string of a URL. Numbers stay texts, because `007` or twenty digits would change as numbers.
 */
export function parseSearch(text: string): Search {
  const parameters = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const all = parameters.getAll(name);
      return [name, all.length > 1 ? all : (all[0] ?? '')];
    }),
  );
}

/** Returns the query string with its question mark; empty if there are no values. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean')
        parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
