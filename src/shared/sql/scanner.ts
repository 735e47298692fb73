/** A part of SQL text. Parameters can only be in code. */
export interface SqlPart {
  readonly kind: 'code' | 'string' | 'identifier' | 'comment';
  readonly start: number;
  /** The index after the last character. */
  readonly end: number;
}

/**
 * Splits SQL into code, strings (`'…'`, `E'…'`, `$tag$…$tag$`), quoted identifiers and comments (block comments nest), by the
 * rules that the lexers of PostgreSQL and DuckDB share. An unclosed part extends to the end; the engine reports it.
 */
export function scanSql(sql: string): SqlPart[] {
  const parts: SqlPart[] = [];
  let codeStart = 0;
  let escapeStringEnd: number | undefined;
  let index = 0;
  while (index < sql.length) {
    const isEscape = sql[index] === "'" && isEscapeString(sql, index, escapeStringEnd);
    const found = partAt(sql, index, isEscape);
    if (found === undefined) {
      index += 1;
      continue;
    }
    if (found.start > codeStart) parts.push({ kind: 'code', start: codeStart, end: found.start });
    parts.push(found);
    if (found.kind === 'string') escapeStringEnd = isEscape ? found.end : undefined;
    index = found.end;
    codeStart = found.end;
  }
  if (codeStart < sql.length) parts.push({ kind: 'code', start: codeStart, end: sql.length });
  return parts;
}

function partAt(sql: string, start: number, isEscape: boolean): SqlPart | undefined {
  switch (sql[start]) {
    case "'":
      return {
        kind: 'string',
        start,
        end: isEscape ? endOfEscapeString(sql, start) : endOfQuoted(sql, start),
      };
    case '"':
      return { kind: 'identifier', start, end: endOfQuoted(sql, start) };
    case '-':
      return sql[start + 1] === '-' ? { kind: 'comment', start, end: endOfLine(sql, start) } : undefined;
    case '/':
      return sql[start + 1] === '*' ? { kind: 'comment', start, end: endOfBlock(sql, start) } : undefined;
    case '$':
      return dollarString(sql, start);
    default:
      return undefined;
  }
}

/** It ends at the first quote that isn't doubled. */
function endOfQuoted(sql: string, start: number): number {
  const quote = sql.charAt(start);
  let end = sql.indexOf(quote, start + 1);
  while (end !== -1 && sql[end + 1] === quote) end = sql.indexOf(quote, end + 2);
  return end === -1 ? sql.length : end + 1;
}

/**
 * Whether backslashes escape in the string at `start`: after an `E` that is not the end of a longer word, or where it
 * continues such a string (`E'…'`, a line break, `'…'`).
 */
const isEscapeString = (sql: string, start: number, escapeStringEnd: number | undefined): boolean =>
  (/e/i.test(sql.charAt(start - 1)) && !isWord(sql.charAt(start - 2))) ||
  (escapeStringEnd !== undefined && continues(sql, escapeStringEnd, start));

/** Whether only spaces and line comments, with a line break, are between the end of a string and the next quote. */
function continues(sql: string, stringEnd: number, quote: number): boolean {
  let hasLineBreak = false;
  for (let index = stringEnd; index < quote; index += 1) {
    if (sql.startsWith('--', index)) index = endOfLine(sql, index);
    if (!isSpace(sql.charAt(index))) return false;
    if (isLineBreak(sql.charAt(index))) hasLineBreak = true;
  }
  return hasLineBreak;
}

function endOfEscapeString(sql: string, start: number): number {
  for (let index = start + 1; index < sql.length; index += 1) {
    if (sql[index] === '\\') index += 1;
    else if (sql[index] === "'") {
      if (sql[index + 1] !== "'") return index + 1;
      index += 1;
    }
  }
  return sql.length;
}

function endOfLine(sql: string, start: number): number {
  for (let index = start; index < sql.length; index += 1) {
    if (isLineBreak(sql.charAt(index))) return index;
  }
  return sql.length;
}

function endOfBlock(sql: string, start: number): number {
  let depth = 0;
  for (let index = start; index < sql.length; index += 1) {
    if (sql[index] === '/' && sql[index + 1] === '*') {
      depth += 1;
      index += 1;
    } else if (sql[index] === '*' && sql[index + 1] === '/') {
      depth -= 1;
      index += 1;
      if (depth === 0) return index + 1;
    }
  }
  return sql.length;
}

/** For both lexers, every character outside ASCII is a letter, except that DuckDB first replaces the spaces among them. */
const dollarTag = /\$(?:(?:[A-Za-z_]|[^\s\p{ASCII}])(?:\w|[^\s\p{ASCII}])*)?\$/uy;

function dollarString(sql: string, start: number): SqlPart | undefined {
  // After a letter, as in `a$b$`, the dollar sign belongs to the name.
  if (isWord(sql.charAt(start - 1))) return undefined;
  dollarTag.lastIndex = start;
  const tag = dollarTag.exec(sql)?.[0];
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, start + tag.length);
  return { kind: 'string', start, end: end === -1 ? sql.length : end + tag.length };
}

const isWord = (character: string): boolean => /[\w$]|[^\s\p{ASCII}]/u.test(character);
const isSpace = (character: string): boolean => /[ \t\n\r\f\v]/.test(character);
const isLineBreak = (character: string): boolean => character === '\n' || character === '\r';
