import type { FormulaFault } from './syntax.ts';

/** A word or sign of a formula. */
export interface Token {
  readonly kind: 'number' | 'text' | 'column' | 'word' | 'sign' | 'end';
  /** Its content: of text and columns without the quotes or brackets, of words in lower case. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /(?<number>\d+(?:\.\d*)?|\.\d+)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<text>"(?:[^"]|"")*"|'(?:[^']|'')*')|(?<column>\[(?:[^\]]|\]\])*\])|(?<sign><>|!=|<=|>=|[-+*/%=<>(),])|(?<unclosed>["'[][^]*)/uy;

/** Returns the tokens of a formula up to its first fault; the last one is the end. */
export function tokensOf(formula: string): {
  readonly tokens: readonly Token[];
  readonly fault?: FormulaFault;
} {
  const tokens: Token[] = [];
  let start = 0;
  for (;;) {
    while (/\s/.test(formula.charAt(start))) start += 1;
    if (start === formula.length) break;
    tokenPattern.lastIndex = start;
    const groups = tokenPattern.exec(formula)?.groups;
    if (groups === undefined || groups['unclosed'] !== undefined)
      return { tokens, fault: { message: faultAt(formula, start), start, end: start + 1 } };
    const end = tokenPattern.lastIndex;
    tokens.push({ ...tokenOf(groups), start, end });
    start = end;
  }
  tokens.push({ kind: 'end', text: '', start, end: start });
  return { tokens };
}

function tokenOf({
  number,
  word,
  text,
  column,
  sign = '',
}: Record<string, string | undefined>): Pick<Token, 'kind' | 'text'> {
  if (number !== undefined) return { kind: 'number', text: number };
  if (word !== undefined) return { kind: 'word', text: word.toLowerCase() };
  if (text !== undefined) {
    const quote = text.charAt(0);
    return { kind: 'text', text: text.slice(1, -1).replaceAll(quote + quote, quote) };
  }
  if (column !== undefined) return { kind: 'column', text: column.slice(1, -1).replaceAll(']]', ']') };
  return { kind: 'sign', text: sign === '!=' ? '<>' : sign };
}

function faultAt(formula: string, start: number): string {
  const character = String.fromCodePoint(formula.codePointAt(start) ?? 0);
  if (character === '[') return 'The bracket of this column isn’t closed.';
  if (character === '"' || character === "'") return 'The quote of this text isn’t closed.';
  return `The character “${character}” has no meaning in a formula.`;
}
