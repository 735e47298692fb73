import type { FunctionDefinition } from './functions/definition.ts';
import { signatureOf } from './functions/definition.ts';
import { formulaFunctions } from './functions/functions.ts';
import { tokensOf, type Token } from './lexer.ts';
import { columnText } from './print.ts';

/** Something that can be written at a position of a formula. */
export interface FormulaCompletion {
  readonly kind: 'column' | 'function' | 'operator';
  /** What is shown. */
  readonly label: string;
  /** What is inserted in place of the text from `from`. */
  readonly text: string;
  /** How a function is called, or the type of a column. */
  readonly detail: string;
  readonly description: string;
}

/** The columns that a formula may refer to; those of joined tables as `table.column`. */
export interface FormulaColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * Returns what can be written at a position of a formula, and where the text starts that it replaces. The functions of a
 * measure include the aggregates.
 */
export function completionsAt(
  formula: string,
  position: number,
  columns: readonly FormulaColumn[],
  isMeasure: boolean,
): { readonly from: number; readonly completions: readonly FormulaCompletion[] } {
  const before = formula.slice(0, position);
  const { tokens, fault } = tokensOf(before);
  if (fault !== undefined) {
    // Only an open bracket can be completed; an open quote contains text.
    if (before.charAt(fault.start) !== '[') return { from: position, completions: [] };
    const typed = before.slice(fault.start + 1).toLowerCase();
    return { from: fault.start, completions: columnCompletions(columns, typed) };
  }
  const written = tokens.slice(0, -1);
  const last = written.at(-1);
  const isTyping = last?.kind === 'word' && last.end === position;
  const previous = isTyping ? written.at(-2) : last;
  const from = isTyping ? last.start : position;
  const typed = isTyping ? last.text : '';
  if (endsValue(previous)) return { from, completions: operatorCompletions(typed) };
  const functions = formulaFunctions.filter(({ category }) => isMeasure || category !== 'aggregate');
  return {
    from,
    completions: [
      ...columnCompletions(columns, typed),
      ...functions.filter(({ name }) => name.startsWith(typed)).map(functionCompletion),
    ],
  };
}

/** Returns whether an operator must follow a token. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'number' ||
    token.kind === 'text' ||
    token.kind === 'column' ||
    (token.kind === 'sign' && token.text === ')') ||
    (token.kind === 'word' && ['true', 'false', 'null'].includes(token.text)));

const columnCompletions = (columns: readonly FormulaColumn[], typed: string): FormulaCompletion[] =>
  columns
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .map(({ name, type }) => ({
      kind: 'column',
      label: name,
      text: columnText(name),
      detail: type,
      description: '',
    }));

const functionCompletion = (definition: FunctionDefinition): FormulaCompletion => ({
  kind: 'function',
  label: definition.name,
  text: `${definition.name}(`,
  detail: signatureOf(definition),
  description: definition.description,
});

const operators: readonly (readonly [operator: string, description: string])[] = [
  ['+', 'plus'],
  ['-', 'minus'],
  ['*', 'times'],
  ['/', 'divided by; null if that is zero'],
  ['%', 'the remainder'],
  ['=', 'is equal to'],
  ['<>', 'is not equal to'],
  ['<', 'is less than'],
  ['<=', 'is at most'],
  ['>', 'is greater than'],
  ['>=', 'is at least'],
  ['and', 'both are true'],
  ['or', 'at least one is true'],
];

const operatorCompletions = (typed: string): FormulaCompletion[] =>
  operators
    .filter(([operator]) => operator.startsWith(typed))
    .map(([operator, description]) => ({
      kind: 'operator',
      label: operator,
      text: `${operator} `,
      detail: '',
      description,
    }));
