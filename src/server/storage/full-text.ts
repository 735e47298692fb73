import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { Database, Transaction } from './database.ts';
import { prepare, type Engine, type PreparedQuery, type Sql } from './prepared-query.ts';

/**
 * The index of words: SQLite's FTS5, or a `tsvector` of PostgreSQL under a GIN index. A document has a number as its
 * key, and its words are already folded and split, so that both engines find the same. Each word is prefixed with the
 * scope of its document, so that a search in one organization is not slowed down by the words of another.
 */
export interface Words {
  readonly key: number;
  readonly scope: string;
  readonly words: readonly string[];
}

/** Prefixes of up to ten letters after the scope have an index; longer ones are searched among the words. */
const prefixLengths = '7 8 9 10 11 12 13 14 15 16';

/** Returns the statements that create the index of words. */
export const fullTextSchema = (engine: Engine): string[] =>
  engine === 'SQLite'
    ? [
        `create virtual table dashboard_words using fts5(
          words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='${prefixLengths}'
        )`,
      ]
    : [
        'create table dashboard_words (key bigint primary key, words tsvector not null)',
        'create index dashboard_words_by_word on dashboard_words using gin (words)',
      ];

/**
 * Returns the statements of a migration that makes the index of dashboards be rebuilt in the background. Lists and searches
 * work meanwhile, with the entries that exist. A migration must not empty or drop the index: they would find nothing.
 */
export const rebuildOfIndex: readonly string[] = [
  `update dashboard_entries set words_hash = ''`,
  `insert into dashboard_queue (id, dashboard_id)
    select 'rebuild:' || id, id from dashboards where deleted_at is null
    on conflict do nothing`,
];

const raw = <P>(write: (engine: Engine, p: P) => RawBuilder<unknown>): PreparedQuery<P, unknown> =>
  prepare((db: Sql, p: P, engine): Compilable => ({ compile: () => write(engine, p).compile(db) }));

const insert = raw((engine, p: { key: number; words: string }) =>
  engine === 'SQLite'
    ? sql`insert into dashboard_words (rowid, words) values (${p.key}, ${p.words})`
    : sql`insert into dashboard_words (key, words)
        values (${p.key}, array_to_tsvector(string_to_array(${p.words}, ' ')))`,
);

/** Adds a document that the index doesn't have. */
export async function insertWords(transaction: Transaction, { key, scope, words }: Words): Promise<void> {
  if (words.length === 0) return;
  const prefix = scopePrefix(scope);
  await transaction.run(insert, { key, words: words.map((word) => prefix + word).join(' ') });
}

const remove = raw((engine, p: { key: number }) =>
  engine === 'SQLite'
    ? sql`delete from dashboard_words where rowid = ${p.key}`
    : sql`delete from dashboard_words where key = ${p.key}`,
);

/** Removes a document, if the index has it. */
export async function removeWords(transaction: Transaction, key: number): Promise<void> {
  await transaction.run(remove, { key });
}

/** A merge writes this many pages at once, in some milliseconds. */
const pagesAtOnce = 16;
const merge = raw(
  () => sql`insert into dashboard_words (dashboard_words, rank) values ('merge', ${-pagesAtOnce})`,
);
const changeCount: PreparedQuery<object, { count: number }> = prepare((db) =>
  db.selectNoFrom(sql<number>`total_changes()`.as('count')),
);

/**
 * Merges a little of what was added to the index bit by bit, each of which a search has to look into: among 100,000
 * dashboards it makes searches up to ten times faster. Returns whether there is more to merge. PostgreSQL merges by
 * itself.
 */
export async function mergeWords(database: Database): Promise<boolean> {
  if (database.engine === 'PostgreSQL') return false;
  return database.write(async (transaction) => {
    const before = await transaction.first(changeCount, {});
    await transaction.run(merge, {});
    const after = await transaction.first(changeCount, {});
    // A merge that has nothing to do counts as one change (https://sqlite.org/fts5.html#the_merge_command).
    return (after?.count ?? 0) - (before?.count ?? 0) > 1;
  });
}

export interface FullTextRange {
  readonly search: string;
  readonly before: number;
  readonly limit: number;
}

/** Returns the keys of documents that match a search, the greatest below `before` first, as a table to select from. */
export function matchingKeys(engine: Engine, p: FullTextRange): RawBuilder<{ key: number | string }> {
  return engine === 'SQLite'
    ? sql`(select rowid as key from dashboard_words where dashboard_words match ${p.search} and rowid < ${p.before}
        order by rowid desc limit cast(${p.limit} as integer))`
    : sql`(select key from dashboard_words where words @@ cast(${p.search} as tsquery) and key < ${p.before}
        order by key desc limit ${p.limit})`;
}

/** Whether the document of a key, which is one of few, matches a search. */
export const matchesSearch = (engine: Engine, search: string, key: string): RawBuilder<boolean> =>
  engine === 'SQLite'
    ? sql`exists (select 1 from dashboard_words where dashboard_words match ${search} and rowid = ${sql.ref(key)})`
    : sql`exists (
        select 1 from dashboard_words where words @@ cast(${search} as tsquery) and dashboard_words.key = ${sql.ref(key)}
      )`;

/**
 * Returns a search for documents of a scope that have, for each of `terms`, a word that starts with it. There is at
 * least one term; all are folded words of only letters and digits, so none of them contains syntax.
 */
export function searchFor(engine: Engine, scope: string, terms: readonly string[]): string {
  const prefix = scopePrefix(scope);
  return engine === 'SQLite'
    ? terms.map((term) => `"${prefix}${term}" *`).join(' AND ')
    : terms.map((term) => `'${prefix}${term}':*`).join(' & ');
}

/** The random end of an id. Two scopes can share it, so searches must check the scope of the results as well. */
const scopePrefix = (scope: string): string => scope.slice(-6);
