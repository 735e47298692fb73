import { tokensOf, type Token } from './lexer.ts';
import {
  maxFormulaDepth,
  maxFormulaLength,
  operatorLevels,
  type Formula,
  type FormulaFault,
  type FormulaOperator,
} from './syntax.ts';

class SyntaxFault extends Error {
  readonly fault: FormulaFault;

  constructor(message: string, { start, end }: { start: number; end: number }) {
    super(message);
    this.fault = { message, start, end };
  }
}

/** Returns a formula as a tree, or its first fault. Takes time that is linear in its length. */
export function parseFormula(text: string): { readonly formula: Formula } | { readonly fault: FormulaFault } {
  if (text.length > maxFormulaLength) {
    const message = 'The formula is too long: at most 5,000 characters.';
    return { fault: { message, start: maxFormulaLength, end: text.length } };
  }
  const { tokens, fault } = tokensOf(text);
  if (fault !== undefined) return { fault };
  try {
    return { formula: parse(tokens) };
  } catch (error) {
    if (error instanceof SyntaxFault) return { fault: error.fault };
    throw error;
  }
}

function parse(tokens: readonly Token[]): Formula {
  let index = 0;
  let nesting = 0;
  const end: Token = { kind: 'end', text: '', start: 0, end: 0 };
  const peek = (): Token => tokens[index] ?? end;
  const isNext = (...texts: readonly string[]): boolean =>
    (peek().kind === 'sign' || peek().kind === 'word') && texts.includes(peek().text);

  function next(): Token {
    const token = peek();
    index += 1;
    return token;
  }

  function expect(text: string, message: string): Token {
    if (!isNext(text)) throw new SyntaxFault(message, peek());
    return next();
  }

  function depthOf(...parts: readonly Formula[]): number {
    const depth = 1 + Math.max(0, ...parts.map((part) => part.depth));
    if (depth > maxFormulaDepth) throw new SyntaxFault('The formula is nested too deeply.', peek());
    return depth;
  }

  function operation(level: number): Formula {
    const operators: readonly string[] | undefined = operatorLevels[level];
    if (operators === undefined) return sign();
    // `not` binds less than comparisons, but more than `and`.
    if (level === 2 && isNext('not')) return prefix('not', () => operation(level));
    let left = operation(level + 1);
    while (isNext(...operators)) {
      const operator = next().text as FormulaOperator;
      const right = operation(level + 1);
      const range = { start: left.start, end: right.end, depth: depthOf(left, right) };
      left = { kind: 'operation', operator, left, right, ...range };
      if (level === 2 && isNext(...operators))
        throw new SyntaxFault('Combine comparisons with “and”.', peek());
    }
    return left;
  }

  function sign(): Formula {
    return isNext('-') ? prefix('-', sign) : value();
  }

  function prefix(operator: '-' | 'not', operandOf: () => Formula): Formula {
    const { start } = next();
    const operand = nested(operandOf);
    return { kind: 'prefix', operator, operand, start, end: operand.end, depth: depthOf(operand) };
  }

  function nested<Result>(read: () => Result): Result {
    nesting += 1;
    if (nesting > maxFormulaDepth) throw new SyntaxFault('The formula is nested too deeply.', peek());
    const result = read();
    nesting -= 1;
    return result;
  }

  function value(): Formula {
    const token = next();
    const { kind, text, start, end } = token;
    const range = { start, end, depth: 1 };
    switch (kind) {
      case 'number':
      case 'text':
        return { kind, text, ...range };
      case 'column':
        return { kind, name: text, ...range };
      case 'word':
        if (isNext('(')) return call(token);
        if (text === 'true' || text === 'false' || text === 'null')
          return { kind: 'constant', name: text, ...range };
        throw new SyntaxFault(wordMessage(text), token);
      case 'sign': {
        if (text !== '(') throw new SyntaxFault(`A value is missing before “${text}”.`, token);
        const inner = nested(() => operation(0));
        const { end: closed } = expect(')', 'A closing parenthesis is missing.');
        return { ...inner, start, end: closed };
      }
      case 'end':
        throw new SyntaxFault('The formula isn’t complete: a value is missing here.', token);
    }
  }

  function call({ text: name, start }: Token): Formula {
    next();
    const parts: Formula[] = [];
    if (!isNext(')')) {
      do parts.push(nested(() => operation(0)));
      while (isNext(',') && next());
    }
    const { end: closed } = expect(')', `A comma or a closing parenthesis is missing after “${name}(”.`);
    return { kind: 'call', name, arguments: parts, start, end: closed, depth: depthOf(...parts) };
  }

  const formula = operation(0);
  if (peek().kind !== 'end') throw new SyntaxFault('An operator such as + or “and” is missing here.', peek());
  return formula;
}

const wordMessage = (word: string): string =>
  word === 'and' || word === 'or'
    ? `A value is missing before “${word}”.`
    : `Write a column as [${word}], a function as ${word}(…), and text in quotes.`;
