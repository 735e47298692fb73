import type { FormulaRange } from '../faults.ts';

/** The operators of formulas with two operands, from those that bind weakest. */
export const operatorLevels = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
] as const;
export type FormulaOperator = (typeof operatorLevels)[number][number];

/** A formula as a tree. */
export type Formula = FormulaRange & { readonly depth: number } & (
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'constant'; readonly name: 'true' | 'false' | 'null' }
    | { readonly kind: 'column'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Formula[] }
    | { readonly kind: 'prefix'; readonly operator: '-' | 'not'; readonly operand: Formula }
    | {
        readonly kind: 'operation';
        readonly operator: FormulaOperator;
        readonly left: Formula;
        readonly right: Formula;
      }
  );

/** What is wrong with a formula, and where. */
export interface FormulaFault extends FormulaRange {
  readonly message: string;
}

export const maxFormulaLength = 5_000;
/** How deeply a formula may be nested, so that neither this code nor an engine exhausts its stack. */
export const maxFormulaDepth = 100;
