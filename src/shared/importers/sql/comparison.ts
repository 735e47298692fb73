/** The start of a comparison at the end of SQL, such as `orders.region IN (` or `id = `. */
export interface OpenComparison {
  /** What is compared. */
  readonly operand: string;
  readonly operator: 'in' | 'not in' | 'equal' | 'different';
  /** The index at which it starts. */
  readonly start: number;
}

/** Returns the comparison that SQL ends with, whose value would follow; undefined if there is none, or a complicated one. */
export function openComparison(sql: string): OpenComparison | undefined {
  let end = beforeSpaces(sql, sql.length);
  let operator: OpenComparison['operator'];
  if (sql[end - 1] === '(') {
    end = beforeSpaces(sql, end - 1);
    const word = wordBefore(sql, end);
    if (word.toLowerCase() !== 'in') return undefined;
    end = beforeSpaces(sql, end - word.length);
    const not = wordBefore(sql, end);
    operator = not.toLowerCase() === 'not' ? 'not in' : 'in';
    if (operator === 'not in') end = beforeSpaces(sql, end - not.length);
  } else if (sql.endsWith('<>', end) || sql.endsWith('!=', end)) {
    operator = 'different';
    end = beforeSpaces(sql, end - 2);
  } else if (sql[end - 1] === '=' && !/[<>!=:~]/.test(sql.charAt(end - 2))) {
    operator = 'equal';
    end = beforeSpaces(sql, end - 1);
  } else return undefined;
  const start = startOfOperand(sql, end);
  return start === end ? undefined : { operand: sql.slice(start, end), operator, start };
}

/** Whether a name follows the end of SQL, such as after `FROM` or a dot. */
export function expectsName(sql: string): boolean {
  if (/[.\w]$/.test(sql.slice(-1))) return true;
  return nameKeywords.has(wordBefore(sql, beforeSpaces(sql, sql.length)).toLowerCase());
}

const nameKeywords: ReadonlySet<string> = new Set(['from', 'join', 'into', 'as', 'by', 'table', 'update']);

function beforeSpaces(sql: string, end: number): number {
  let index = end;
  while (index > 0 && /\s/.test(sql.charAt(index - 1))) index -= 1;
  return index;
}

function wordBefore(sql: string, end: number): string {
  let start = end;
  while (start > 0 && /\w/.test(sql.charAt(start - 1))) start -= 1;
  return sql.slice(start, end);
}

/** A path such as `a."B".c::text`, a member of JSON such as `a->>'b'`, or a function call. */
function startOfOperand(sql: string, end: number): number {
  let index = end;
  let isCalled = false;
  while (index > 0) {
    const character = sql.charAt(index - 1);
    if (/[\w$.:]/.test(character)) index -= 1;
    else if (character === '"') {
      const opening = sql.lastIndexOf('"', index - 2);
      if (opening === -1) return end;
      index = opening;
    } else if (character === "'") {
      const opening = sql.lastIndexOf("'", index - 2);
      const arrow = /->>?\s{0,5}$/.exec(sql.slice(Math.max(0, opening - 10), Math.max(0, opening)));
      if (arrow === null) return end;
      index = opening - arrow[0].length;
    } else if (character === ')' && !isCalled) {
      index = openingParenthesis(sql, index - 1);
      if (index === -1) return end;
      isCalled = true;
    } else break;
  }
  return index;
}

function openingParenthesis(sql: string, closing: number): number {
  let depth = 0;
  for (let index = closing; index >= 0; index -= 1) {
    const character = sql.charAt(index);
    if (character === "'" || character === '"') {
      // Two quotes inside a string look like the end of one and the start of another.
      index = index === 0 ? -1 : sql.lastIndexOf(character, index - 1);
      if (index === -1) return -1;
      continue;
    }
    if (character === ')') depth += 1;
    if (character === '(') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}
