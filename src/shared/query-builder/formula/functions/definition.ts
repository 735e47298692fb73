import type { ColumnType } from '../../../columns.ts';
import type { Context, TypedSql } from '../../context.ts';
import type { Sql } from '../../sql/expression.ts';
import type { Formula } from '../syntax.ts';

export const functionCategories = ['logic', 'number', 'text', 'date', 'aggregate'] as const;

/**
 * What an argument must be: `any` is a value of any type, `ordered` one of a type with an order; `value` is one of the same type as the other arguments of that kind;
 * `unit` is a unit of time as text, `wholeNumber` an integer, and `literal` an integer that isn't computed.
 */
export type ArgumentKind =
  | 'any'
  | 'ordered'
  | 'value'
  | 'boolean'
  | 'number'
  | 'wholeNumber'
  | 'literal'
  | 'text'
  | 'date'
  | 'unit';

export interface FunctionParameter {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly isOptional?: boolean;
}

/** An argument of a call: its SQL and its type. */
export interface Argument extends TypedSql {
  readonly formula: Formula;
  /** Whether it is a call of an aggregate. */
  readonly isAggregate?: boolean;
}

/** A function of formulas: the only place that says what it is called, what it takes and how it is written in SQL. */
export interface FunctionDefinition {
  readonly name: string;
  readonly category: (typeof functionCategories)[number];
  readonly parameters: readonly FunctionParameter[];
  /** How many of the last parameters can be repeated, as a group. */
  readonly repeated?: number;
  /** One sentence for people who don't write SQL. */
  readonly description: string;
  readonly example: string;
  /** The type of the result, which may depend on the arguments. */
  readonly result: ColumnType | ((types: readonly ColumnType[], formulas: readonly Formula[]) => ColumnType);
  readonly sql: (context: Context, ...values: readonly Argument[]) => Sql;
}

/** Returns a function as people write it, such as `round(number, digits?)`. */
export const signatureOf = ({ name, parameters, repeated }: FunctionDefinition): string =>
  `${name}(${parameters.map((parameter) => `${parameter.name}${parameter.isOptional === true ? '?' : ''}`).join(', ')}${repeated === undefined ? '' : ', …'})`;
