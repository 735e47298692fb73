import { sql, type Compilable, type RawBuilder } from 'kysely';
import { eachRow } from '../../base/paging.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare, type PreparedQuery } from '../../storage/prepared-query.ts';
import { tableBelonging, type TableName } from '../../storage/tables/belonging.ts';
import { exportedTables } from './columns.ts';

export type Row = Readonly<Record<string, unknown>>;

/** How many rows are read at once, if they fit into the bytes of a page. */
const pageSize = 200;

/** The value of a column of the key of the last row that was read, after which the next page begins. */
type Key = string | number | undefined;
interface PageOf {
  readonly organizationId: string;
  readonly first: Key;
  readonly second: Key;
  readonly third: Key;
  readonly limit: number;
}

/** The exported tables, in the order of the archive. */
// Sound because the type of `exportedTables` has no other members.
export const exportedNames = (Object.keys(exportedTables) as TableName[]).filter(
  (table) => 'columns' in exportedTables[table],
);

/** Returns the condition that a row belongs to an organization. What belongs to an account belongs to its person instead. */
function belongsTo(table: TableName, organizationId: unknown): RawBuilder<unknown> {
  if (table === 'users') {
    const members = ['members', 'suspended_members'].map(
      (members) =>
        sql`id in (select user_id from ${sql.table(members)} where organization_id = ${organizationId})`,
    );
    return sql`(${sql.join([sql`organization_id = ${organizationId}`, ...members], sql` or `)})`;
  }
  const ways = tableBelonging[table].to.flatMap((way) => {
    if ('organization' in way) return [sql`${sql.ref(way.organization)} = ${organizationId}`];
    if (way.parent === 'users') return [];
    const parents = sql`select ${sql.ref(way.parentColumn ?? 'id')} from ${sql.table(way.parent)}`;
    return [sql`${sql.ref(way.column)} in (${parents} where ${belongsTo(way.parent, organizationId)})`];
  });
  if (ways.length === 0) throw new Error(`No row of ${table} belongs to an organization.`);
  return sql`(${sql.join(ways, sql` or `)})`;
}

const pages = new Map<TableName, PreparedQuery<PageOf, Row>>();

/** Sorts before the values of a column of a key: the number of a version, or a text. */
const before = (column: string): Key => (column === 'version' ? 0 : '');

/** Returns the query for a page of a table after the key of its last row. */
function pageOf(table: TableName): PreparedQuery<PageOf, Row> {
  const known = pages.get(table);
  if (known !== undefined) return known;
  const { key } = tableBelonging[table];
  const entry = exportedTables[table];
  const columns = 'columns' in entry ? Object.entries(entry.columns) : [];
  const selected = columns.filter(([, column]) => typeof column !== 'object').map(([name]) => name);
  const keys = key.map((name) => sql.ref(name));
  const query = prepare((db, p: PageOf): Compilable<Row> => {
    const after = [p.first, p.second, p.third].slice(0, keys.length);
    const rows = (names: readonly string[], isOnPage: RawBuilder<unknown>) =>
      sql<Row>`select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table)}
        where ${isOnPage} order by ${sql.join(keys)} limit cast(${p.limit} as integer)`;
    const follows = sql`${belongsTo(table, p.organizationId)} and (${sql.join(keys)}) > (${sql.join(after)})`;
    const names = [...new Set([...selected, ...key])];
    // First only the keys, which may have to be sorted. Tables with keys of several columns are stored in their order.
    const isOnPage = keys.length === 1 ? sql`${sql.join(keys)} in (${rows(key, follows)})` : follows;
    return { compile: () => rows(names, isOnPage).compile(db) };
  });
  pages.set(table, query);
  return query;
}

/** Yields the rows of a table that belong to an organization, by their keys, in pages, each as of the moment at which it is read. */
export async function* readRows(
  reader: Reader,
  table: TableName,
  organizationId: string,
): AsyncGenerator<Row> {
  const entry = exportedTables[table];
  if (!('columns' in entry)) throw new Error(`${table} is not exported.`);
  const columns = Object.entries(entry.columns);
  const key = tableBelonging[table].key;
  const read = (last: Row | undefined) => {
    // Sound because keys are texts and numbers.
    const [first, second, third] = key.map((name) =>
      last === undefined ? before(name) : (last[name] as Key),
    );
    return reader.page(pageOf(table), { organizationId, first, second, third, limit: pageSize });
  };
  for await (const row of eachRow(keyOfOrganization(organizationId), read)) yield toExported(row, columns);
}

function toExported(row: Row, columns: readonly [string, unknown][]): Row {
  const exported: Record<string, unknown> = {};
  for (const [name, column] of columns) {
    const value = row[name];
    if (typeof column === 'object') continue;
    if (column === 'json' && typeof value === 'string') exported[name] = parsed(value);
    else if (column === 'origin' && typeof value === 'string') exported[name] = originOf(value);
    else exported[name] = column === 'number' ? Number(value) : value;
  }
  return exported;
}

/** Of a URL, only the origin is exported: its path and query may contain a token of the receiver. */
const originOf = (url: string): string => `${new URL(url).origin}/…`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
