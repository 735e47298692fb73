import { Type, type Static } from 'typebox';
import type { Actor } from '../../base/actor.ts';
import { keyOfPerson } from '../../base/tenant.ts';
import { enterTurn } from '../../base/turns.ts';
import { wordsOf } from '../../base/texts/folded-text.ts';
import type { Page, PageRequest } from '../../base/paging.ts';
import { listDashboards } from '../../dashboards/listing/listing.ts';
import { listDataSources } from '../../data-sources/data-sources.ts';
import { listFolders } from '../../folders/folders.ts';
import { listReports } from '../../reports/reports.ts';
import { dashboardUrl, dataSourceUrl, reportUrl } from '../addresses.ts';
import { shorten } from '../texts.ts';
import { defineTool, type ToolCall, type ToolDependencies } from '../tool.ts';
import { Time, Url } from './fields.ts';

const kinds = ['dashboard', 'report', 'folder', 'data_source'] as const;
type Kind = (typeof kinds)[number];

const Found = Type.Object({
  kind: Type.Enum([...kinds]),
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  updatedAt: Time,
  url: Type.Optional(Url),
});
type Found = Static<typeof Found>;

const maxFound = 50;
const descriptionLength = 300;

/** How many pages of reports or data sources are searched. */
const maxPages = 20;
/** How much of a description is searched: folding all of what thousands of reports can have takes seconds. */
const searchedLength = 1_000;

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds the dashboards, reports, folders and data sources that you have access to, by words of their names and of the beginning of descriptions. ' +
    'Start here to get the IDs that the other tools take. Without words, it lists the newest.',
  scope: 'read',
  input: Type.Object({
    words: Type.Optional(
      Type.String({ maxLength: 200, description: 'A word is found if a word of a name begins with it' }),
    ),
    kinds: Type.Optional(
      Type.Array(Type.Enum([...kinds]), { minItems: 1, maxItems: kinds.length, description: 'Default: all' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxFound, description: 'For each kind; default: 10' }),
    ),
  }),
  output: Type.Object({
    items: Type.Array(Found),
    incomplete: Type.Optional(
      Type.Array(Type.Enum([...kinds]), { description: 'The kinds of which there are more' }),
    ),
  }),
  run: async (dependencies, call, { words = '', kinds: asked = kinds, limit = 10 }) => {
    const terms = wordsOf(words);
    const hasNoWord = words.trim() !== '' && terms.length === 0;
    const items: Found[] = [];
    const incomplete: Kind[] = [];
    for (const kind of hasNoWord ? [] : new Set(asked)) {
      const found = await finders[kind](dependencies, call, { words, terms, limit });
      items.push(...found.slice(0, limit));
      if (found.length > limit) incomplete.push(kind);
    }
    return { items, ...(incomplete.length > 0 && { incomplete }) };
  },
});

interface Search {
  readonly words: string;
  readonly terms: readonly string[];
  readonly limit: number;
}

/** Each returns more than the limit if there are more. */
const finders: Readonly<
  Record<Kind, (dependencies: ToolDependencies, call: ToolCall, search: Search) => Promise<Found[]>>
> = {
  dashboard: async ({ database, index, publicUrl }, { actor, organizationId }, { words, limit }) => {
    const query = { organizationId, limit: String(limit + 1), ...(words.trim() !== '' && { q: words }) };
    const { items } = await listDashboards({ database, index }, actor, query);
    return items.map((item) => ({
      ...toFound('dashboard', item),
      url: dashboardUrl(publicUrl, item.id),
    }));
  },
  report: async ({ database, publicUrl }, { actor, organizationId }, search) => {
    const found = await findInPages(actor, search, (page) =>
      listReports(database, actor, { organizationId }, page),
    );
    return found.map((item) => ({ ...toFound('report', item), url: reportUrl(publicUrl, item.id) }));
  },
  folder: async ({ database }, { actor, organizationId }, { terms }) => {
    const folders = await listFolders(database, actor, { organizationId });
    return folders.filter(({ name }) => matches(terms, name)).map((folder) => toFound('folder', folder));
  },
  data_source: async ({ database, publicUrl }, { actor, organizationId }, search) => {
    const found = await findInPages(actor, search, (page) =>
      listDataSources(database, actor, organizationId, page),
    );
    return found.map((item) => ({
      ...toFound('data_source', item),
      url: dataSourceUrl(publicUrl, item.id),
    }));
  },
};

const toFound = (
  kind: Kind,
  { id, name, description, updatedAt }: { id: string; name: string; description?: string; updatedAt: string },
): Found => ({
  kind,
  id,
  name,
  ...(description !== undefined && { description: shorten(description, descriptionLength) }),
  updatedAt,
});

/** Whether each of the words begins a word of the texts, as in the search of dashboards. */
function matches(terms: readonly string[], ...texts: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const words = wordsOf(...texts);
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** Returns the first items of a list that match. Others have their turn meanwhile, since the embedded database never waits. */
async function findInPages<
  Item extends { readonly id: string; readonly name: string; readonly description?: string },
>(
  { userId }: Actor,
  { terms, limit }: Search,
  list: (page: PageRequest) => Promise<Page<Item>>,
): Promise<Item[]> {
  const found: Item[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages && found.length <= limit; page += 1) {
    const { items, nextCursor } = await list({ limit: 200, after });
    for (const item of items) {
      await enterTurn(keyOfPerson(userId));
      const { name, description = '' } = item;
      if (matches(terms, name, description.slice(0, searchedLength))) found.push(item);
      if (found.length > limit) break;
    }
    after = items.at(-1)?.id;
    if (nextCursor === undefined) break;
  }
  return found;
}
