/** A stretch of SQL text. Everything that is no code is text that no parameter may stand in. */
export interface SqlPart {
  readonly kind: 'code' | 'string' | 'identifier' | 'comment';
  readonly start: number;
  /** Past the last character. */
  readonly end: number;
}

/**
 * Cuts SQL, as PostgreSQL and DuckDB read it, into code, strings (`'…'`, `E'…'`, `$tag$…$tag$`), quoted identifiers
 * and comments (those in `/*` nest). What is not closed reaches to the end: the engine will tell.
 */
export function scanSql(sql: string): SqlPart[] {
  const parts: SqlPart[] = [];
  let codeStart = 0;
  let index = 0;
  while (index < sql.length) {
    const found = partAt(sql, index);
    if (found === undefined) {
      index += 1;
      continue;
    }
    if (found.start > codeStart) parts.push({ kind: 'code', start: codeStart, end: found.start });
    parts.push(found);
    index = found.end;
    codeStart = found.end;
  }
  if (codeStart < sql.length) parts.push({ kind: 'code', start: codeStart, end: sql.length });
  return parts;
}

/** Returns SQL without what follows its statement: semicolons, comments, spaces. */
export function trimStatement(sql: string): string {
  for (const { kind, start, end } of scanSql(sql).toReversed()) {
    if (kind === 'comment') continue;
    let last = end;
    // Not by a pattern, which looks at a run of spaces once from each of them.
    while (last > start && /[;\s]/.test(sql.charAt(last - 1))) last -= 1;
    if (last > start) return sql.slice(0, last);
  }
  return '';
}

/** Returns the first word of the code, or the first sign where it begins with none; empty when there is no code. */
export function firstWord(sql: string): string {
  for (const { kind, start, end } of scanSql(sql)) {
    if (kind === 'comment') continue;
    const found = /[A-Za-z_]+|\S/.exec(sql.slice(start, end));
    if (found !== null) return found[0];
  }
  return '';
}

function partAt(sql: string, start: number): SqlPart | undefined {
  switch (sql[start]) {
    case "'":
      return {
        kind: 'string',
        start,
        end: isEscapeString(sql, start) ? endOfEscapeString(sql, start) : endOfQuoted(sql, start),
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

/** The first quote that is not doubled ends it. */
function endOfQuoted(sql: string, start: number): number {
  const quote = sql.charAt(start);
  let end = sql.indexOf(quote, start + 1);
  while (end !== -1 && sql[end + 1] === quote) end = sql.indexOf(quote, end + 2);
  return end === -1 ? sql.length : end + 1;
}

/** `E'…'`, unless the E is the end of a longer word. */
const isEscapeString = (sql: string, start: number): boolean =>
  /e/i.test(sql.charAt(start - 1)) && !isWord(sql.charAt(start - 2));

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
    if (sql[index] === '\n' || sql[index] === '\r') return index;
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

const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

function dollarString(sql: string, start: number): SqlPart | undefined {
  // After a letter, as in `a$b$`, it belongs to the name.
  if (isWord(sql.charAt(start - 1))) return undefined;
  dollarTag.lastIndex = start;
  const tag = dollarTag.exec(sql)?.[0];
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, start + tag.length);
  return { kind: 'string', start, end: end === -1 ? sql.length : end + tag.length };
}

const isWord = (character: string): boolean => character !== '' && /[\p{L}\p{N}_$]/u.test(character);
