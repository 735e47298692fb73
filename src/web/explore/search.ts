import type { ExploreTarget } from '#contract/explore.ts';
import type { Selection } from '#shared/explore/axes.ts';
import type { SearchValue } from '../ui/browser/search.ts';

/** What the URL of a page says about its charts. */
export interface ExploreSearch {
  /** The columns that are shown, as JSON; by default the first ones. */
  readonly columns?: string;
  /** The selections, as JSON. */
  readonly select?: string;
}

type Given = Readonly<Record<string, unknown>>;

const readText = <Name extends string>(search: Given, name: Name): { [K in Name]?: string } =>
  // Sound because the only member is the named one.
  (typeof search[name] === 'string' ? { [name]: search[name] } : {}) as { [K in Name]?: string };

export const readTableSearch = (
  search: Given,
): ExploreSearch & { readonly table?: string; readonly schema?: string } => ({
  ...readText(search, 'table'),
  ...readText(search, 'schema'),
  ...readText(search, 'columns'),
  ...readText(search, 'select'),
});

export const readReportSearch = (search: Given): ExploreSearch & { readonly parameters?: string } => ({
  ...readText(search, 'parameters'),
  ...readText(search, 'columns'),
  ...readText(search, 'select'),
});

/** Returns the columns of a URL; undefined if it names none. */
export function readColumns(text: SearchValue): readonly string[] | undefined {
  const list = readList(text).filter((name) => typeof name === 'string');
  return list.length === 0 ? undefined : list;
}

/** Returns the selections of a URL, without what isn't one: the server checks the rest. */
export const readSelections = (text: SearchValue): readonly Selection[] =>
  readList(text).filter((one): one is Selection => {
    if (typeof one !== 'object' || one === null || !('column' in one) || !('kind' in one)) return false;
    if (typeof one.column !== 'string') return false;
    if (one.kind === 'values') return 'values' in one && Array.isArray(one.values);
    const type = one.kind === 'number' ? 'number' : one.kind === 'time' ? 'string' : undefined;
    return 'from' in one && 'to' in one && typeof one.from === type && typeof one.to === type;
  });

/** Returns the parameters of a report in a URL. */
export function readParameters(text: SearchValue): NonNullable<ExploreTarget['parameters']> {
  const value = readJson(text);
  // Sound enough: the server checks every value.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as NonNullable<ExploreTarget['parameters']>)
    : {};
}

export const toJson = (list: readonly unknown[]): string | undefined =>
  list.length === 0 ? undefined : JSON.stringify(list);

function readList(text: SearchValue): readonly unknown[] {
  const value = readJson(text);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function readJson(text: SearchValue): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a query string with some values changed; undefined removes one. */
export function withChange<Search extends ExploreSearch>(
  search: Search,
  change: { readonly [Name in keyof ExploreSearch]: string | undefined },
): Search {
  const entries = Object.entries(Object.assign({}, search, change)).filter(
    ([, value]) => value !== undefined,
  );
  // Sound because only optional members are removed.
  return Object.fromEntries(entries) as unknown as Search;
}
