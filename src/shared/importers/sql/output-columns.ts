import { scanSql } from '../../sql/scanner.ts';

/** A column that a query returns, as its SELECT list says. */
export interface OutputColumn {
  readonly name: string;
  /** Whether it is a column of a table as it is, and not computed. */
  readonly isPlain: boolean;
}

/**
 * Returns the columns of a query, in order, and the query with names for computed columns that have none. `columns` is undefined
 * if they aren't known, such as for `SELECT *`. In PostgreSQL, names without quotes are in lower case.
 */
export function withNamedColumns(
  sql: string,
  kind: 'files' | 'postgresql',
): { readonly query: string; readonly columns: readonly OutputColumn[] | undefined } {
  const items = selectList(sql);
  if (items === undefined) return { query: sql, columns: undefined };
  const columns: OutputColumn[] = [];
  let query = '';
  let copied = 0;
  for (const [index, { text, end }] of items.entries()) {
    const named = nameOf(text, kind);
    if (named === 'all') return { query: sql, columns: undefined };
    if (named === undefined) {
      const name = defaultName(text, index, columns);
      query += `${sql.slice(copied, end)} AS "${name}"`;
      copied = end;
      columns.push({ name, isPlain: false });
    } else columns.push(named);
  }
  return { query: query + sql.slice(copied), columns: hasDuplicates(columns) ? undefined : columns };
}

const hasDuplicates = (columns: readonly OutputColumn[]): boolean =>
  new Set(columns.map(({ name }) => name)).size < columns.length;

interface SelectItem {
  /** Without comments, and with `'` in place of strings. */
  readonly text: string;
  /** The index in the query after it. */
  readonly end: number;
}

const endOfList =
  /^(?:from|where|group|having|order|limit|offset|fetch|union|intersect|except|window|qualify|into)$/i;

function selectList(sql: string): SelectItem[] | undefined {
  const masked = mask(sql);
  const word = /[A-Za-z_]\w*|"[^"]*"?|[(),;]/g;
  const items: SelectItem[] = [];
  let depth = 0;
  let start: number | undefined;
  const close = (index: number) => {
    const trimmed = masked.slice(start, index).trimEnd();
    items.push({ text: trimmed.trimStart(), end: (start ?? 0) + trimmed.length });
    start = index + 1;
  };
  for (const { 0: token, index } of masked.matchAll(word)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    if (depth < 0) return undefined;
    if (depth > 0 || token === ')') continue;
    if (start === undefined) {
      if (/^select$/i.test(token)) start = index + token.length;
    } else if (/^(?:distinct|top)$/i.test(token) && masked.slice(start, index).trim() === '') {
      const next = masked.slice(index + token.length, index + token.length + 20).trimStart();
      if (/^on\b/i.test(next) || /^top$/i.test(token)) return undefined;
      start = index + token.length;
    } else if (token === ',') close(index);
    else if (token === ';' || endOfList.test(token)) {
      close(index);
      return items;
    }
  }
  if (start === undefined || depth !== 0) return undefined;
  close(masked.length);
  return items;
}

/** Returns SQL of the same length without comments and with `'` in place of each character of a string. */
function mask(sql: string): string {
  return scanSql(sql)
    .map(({ kind, start, end }) =>
      kind === 'comment'
        ? ' '.repeat(end - start)
        : kind === 'string'
          ? "'".repeat(end - start)
          : sql.slice(start, end),
    )
    .join('');
}

const notNames = /^(?:end|null|true|false|current_date|current_timestamp|current_time)$/i;

function nameOf(item: string, kind: 'files' | 'postgresql'): OutputColumn | 'all' | undefined {
  if (item.endsWith('*')) return 'all';
  const token = lastToken(item);
  if (token === undefined || notNames.test(token)) return undefined;
  const before = item.slice(0, item.length - token.length).trimEnd();
  const name = token.startsWith('"')
    ? token.slice(1, -1)
    : kind === 'postgresql'
      ? token.toLowerCase()
      : token;
  if (before === '') return /^\d/.test(token) ? undefined : { name, isPlain: true };
  if (/(?:^|[^\w"])as$/i.test(before.slice(-3))) return { name, isPlain: isPath(before.slice(0, -2)) };
  if (before.endsWith('.')) return isPath(item) ? { name, isPlain: true } : undefined;
  // A name can follow an expression without AS, but not an operator.
  const last = lastToken(before);
  const isAfterValue = /[)\]'"]$/.test(before) || (last !== undefined && !isKeyword.test(last));
  return isAfterValue ? { name, isPlain: isPath(before) } : undefined;
}

const isKeyword = /^(?:and|or|not|in|is|like|ilike|between|then|else|when|case|at|zone|time|over|from)$/i;

/** Whether this is the name of a column, perhaps with its table. The text is short, or it isn't. */
const isPath = (text: string): boolean =>
  text.length < 300 && /^(?:\w+|"[^"]+")(?:\.(?:\w+|"[^"]+"))*$/.test(text.trim());

/** Returns the word or quoted name that a text ends with. */
function lastToken(text: string): string | undefined {
  if (text.endsWith('"')) {
    const start = text.lastIndexOf('"', text.length - 2);
    return start === -1 ? undefined : text.slice(start);
  }
  let start = text.length;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
  return start === text.length ? undefined : text.slice(start);
}

/** Returns a name like the one that the database would give: that of the function, or else a number. */
function defaultName(item: string, index: number, taken: readonly OutputColumn[]): string {
  const name = /^\s*(\w+)\s*(?:\(|::)/.exec(item.slice(0, 100))?.[1]?.toLowerCase();
  const isFree = name !== undefined && !/^\d/.test(name) && !taken.some((column) => column.name === name);
  return isFree ? name : `column_${index + 1}`;
}
