import type { Context } from '../context.ts';
import type { Argument } from './functions/definition.ts';
import type { Formula } from './syntax.ts';
import { typeName } from './types.ts';

/** Where a part of a formula is: in a row, in a measure outside of its aggregates, or in an aggregate. */
export type Place = 'row' | 'measure' | 'aggregate';

/** Returns a part of a formula as SQL, or undefined if it has faults, which are reported. */
export type Compile = (formula: Formula, place: Place) => Argument | undefined;

/** What compiling the parts of a formula depends on. */
export interface CompileScope {
  readonly context: Context;
  readonly compile: Compile;
  readonly fault: (formula: Formula, message: string) => undefined;
}

export const isNull = (formula: Formula): boolean => formula.kind === 'constant' && formula.name === 'null';

/** What a value is called in messages. */
export const valueName = ({ formula, type }: Argument): string => (isNull(formula) ? 'null' : typeName(type));
