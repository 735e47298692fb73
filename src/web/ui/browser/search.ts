/** What a name is given as in an address: a text, a list where it is given more than once, or not at all. */
export type SearchValue = string | readonly string[] | undefined;
/** The query of an address: texts alone, as in the API. */
export type Search = Readonly<Record<string, SearchValue>>;

/** Returns what a name is given as; also of one that every object has something under, such as `constructor`. */
export const givenIn = (search: Search, name: string): SearchValue =>
  Object.hasOwn(search, name) ? search[name] : undefined;

/**
 * Returns the query of an address. What looks like a number stays a text: as a number, `007` or twenty digits would
 * not come back as they were.
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

/** Returns the query as it stands in an address, with its question mark; empty when there is nothing in it. */
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
