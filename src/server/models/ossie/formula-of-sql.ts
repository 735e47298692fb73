import { parseFormula } from '#shared/query-builder/formula/parser.ts';
import { columnText, printFormula } from '#shared/query-builder/formula/print.ts';
import { aggregates, scalars } from './functions.ts';

const formulaNames: ReadonlyMap<string, string> = new Map([
  ...[...aggregates, ...scalars].map(([formula, sql]) => [sql, formula] as const),
  ['CEIL', 'ceil'],
]);

/** Words that a formula writes in the same way. */
const words = new Set(['AND', 'OR', 'NOT', 'TRUE', 'FALSE', 'NULL']);

/** Words of SQL that formulas have no equal of; without this list, they would be columns. */
const unsupported = new Set(
  'CASE CAST DISTINCT ELSE END EXTRACT FILTER FROM IN INTERVAL IS LIKE OVER SELECT THEN WHEN WHERE BETWEEN EXISTS'.split(
    ' ',
  ),
);

const tokenPattern =
  /(?<space>\s+)|(?<number>\d+(?:\.\d+)?)|(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)|(?<sign><>|!=|<=|>=|[-+*/=<>(),.])/uy;

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign';
  readonly text: string;
}

/** An expression as a formula, with the tables that its columns name. */
export interface Translated {
  readonly formula: string;
  readonly tables: readonly string[];
}

/**
 * Returns an expression in standard SQL as a formula; undefined if it uses what formulas don't have. The tables of its columns
 * are left out, since a formula is about one table.
 */
export function formulaOfSql(sql: string): Translated | undefined {
  const tokens = tokensOf(sql);
  if (tokens === undefined) return undefined;
  const tables = new Set<string>();
  let text = '';
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) return undefined;
    if (token.kind === 'text')
      text += ` "${token.text.slice(1, -1).replaceAll("''", "'").replaceAll('"', '""')}"`;
    else if (
      token.kind === 'name' &&
      isSign(tokens[index + 1], '(') &&
      !words.has(token.text.toUpperCase())
    ) {
      const call = callAt(tokens, index);
      if (call === undefined) return undefined;
      text += ` ${call.text}`;
      index += call.length - 1;
    } else if (token.kind === 'name' || token.kind === 'quoted') {
      const word = token.text.toUpperCase();
      if (token.kind === 'name' && words.has(word)) {
        text += ` ${word.toLowerCase()}`;
        continue;
      }
      const path = pathAt(tokens, index);
      if (path === undefined) return undefined;
      const [column = '', table] = path.toReversed();
      if (table !== undefined) tables.add(table);
      text += ` ${columnText(column)}`;
      index += path.length * 2 - 2;
    } else if (token.text === '.') return undefined;
    else text += ` ${token.text}`;
  }
  const parsed = parseFormula(text);
  return 'fault' in parsed ? undefined : { formula: printFormula(parsed.formula), tables: [...tables] };
}

const isSign = (token: Token | undefined, sign: string): boolean =>
  token?.kind === 'sign' && token.text === sign;

/** Returns the start of a call up to its opening parenthesis, or all of `COUNT(*)`. */
function callAt(tokens: readonly Token[], index: number): { text: string; length: number } | undefined {
  const name = tokens[index]?.text.toUpperCase() ?? '';
  const [, , inner, after] = tokens.slice(index);
  if (name === 'COUNT') {
    if (isSign(inner, '*') && isSign(after, ')')) return { text: 'count()', length: 4 };
    return inner?.kind === 'name' && inner.text.toUpperCase() === 'DISTINCT'
      ? { text: 'count_distinct(', length: 3 }
      : { text: 'count(', length: 2 };
  }
  const formula = formulaNames.get(name);
  return formula === undefined ? undefined : { text: `${formula}(`, length: 2 };
}

/** Returns the names of a column with those before it, separated by dots. */
function pathAt(tokens: readonly Token[], index: number): string[] | undefined {
  const path: string[] = [];
  for (let at = index; ; at += 2) {
    const token = tokens[at];
    if (token?.kind !== 'name' && token?.kind !== 'quoted') return undefined;
    if (token.kind === 'name' && unsupported.has(token.text.toUpperCase())) return undefined;
    path.push(token.text);
    if (!isSign(tokens[at + 1], '.')) return path;
  }
}

function tokensOf(sql: string): Token[] | undefined {
  const tokens: Token[] = [];
  let start = 0;
  while (start < sql.length) {
    tokenPattern.lastIndex = start;
    const groups = tokenPattern.exec(sql)?.groups;
    if (groups === undefined) return undefined;
    start = tokenPattern.lastIndex;
    const { number, text, name, sign } = groups;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (name?.startsWith('"') === true)
      tokens.push({ kind: 'quoted', text: name.slice(1, -1).replaceAll('""', '"') });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign === '!=' ? '<>' : sign });
  }
  return tokens;
}
