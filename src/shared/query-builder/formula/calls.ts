import { isGroupable, isNumeric, isOrdered, isTemporal, type ColumnType } from '../../columns.ts';
import { rangeUnits } from '../structure.ts';
import { isNull, valueName, type CompileScope, type Place } from './scope.ts';
import { literalOf } from './functions/dates.ts';
import { temporalLiteral } from './literals.ts';
import {
  signatureOf,
  type Argument,
  type ArgumentKind,
  type FunctionDefinition,
} from './functions/definition.ts';
import { findFunction, formulaFunctions } from './functions/functions.ts';
import type { Formula } from './syntax.ts';
import { commonType, typeName } from './types.ts';

type Call = Extract<Formula, { readonly kind: 'call' }>;

export function compileCall(scope: CompileScope, formula: Call, place: Place): Argument | undefined {
  const { fault } = scope;
  const definition = findFunction(formula.name);
  if (definition === undefined)
    return fault(formula, `There is no function “${formula.name}”.${suggestion(formula.name)}`);
  const isAggregate = definition.category === 'aggregate';
  if (isAggregate && place === 'row')
    return fault(
      formula,
      `“${formula.name}” is computed of several rows, so it can only be used in a measure.`,
    );
  if (isAggregate && place === 'aggregate')
    return fault(formula, `“${formula.name}” can’t be used within another aggregate.`);
  const count = formula.arguments.length;
  if (!hasCount(definition, count))
    return fault(
      formula,
      `Write ${signatureOf(definition)}: there ${count === 1 ? 'is 1 value' : `are ${count} values`}.`,
    );

  const values = formula.arguments.map((argument) =>
    scope.compile(argument, isAggregate ? 'aggregate' : place),
  );
  const kinds = values.map((_, index) => kindOf(definition, index, count));
  const valid = values.flatMap((value, index) => {
    if (value === undefined) return [];
    return kinds[index] === 'date' ? { ...value, ...temporalLiteral(value.formula) } : value;
  });
  if (valid.length < values.length) return undefined;
  for (const [index, value] of valid.entries()) {
    const wanted = mismatch(kinds[index] ?? 'any', value, isAggregate);
    if (wanted !== undefined)
      return fault(value.formula, `“${formula.name}” needs ${wanted} here, not ${valueName(value)}.`);
  }
  const same = valid.filter((value, index) => kinds[index] === 'value' && !isNull(value.formula));
  const type = commonType(same.map((value) => value.type));
  if (kinds.includes('value') && type === undefined) {
    const types = [...new Set(same.map((value) => typeName(value.type)))];
    const message =
      types.length === 0
        ? 'at least one value that isn’t null'
        : `values of one type, not ${types.join(' and ')}`;
    return fault(formula, `“${formula.name}” needs ${message}.`);
  }
  // Null has the type of the other values.
  const types = valid.map((value) => (isNull(value.formula) ? (type ?? value.type) : value.type));
  const { result } = definition;
  return {
    formula,
    sql: definition.sql(scope.context, ...valid),
    type: typeof result === 'function' ? result(types, formula.arguments) : result,
    isAggregate,
  };
}

function hasCount({ parameters, repeated = 0 }: FunctionDefinition, count: number): boolean {
  const required = parameters.filter(({ isOptional }) => isOptional !== true).length;
  return count >= required && (repeated > 0 ? count <= 200 : count <= parameters.length);
}

function kindOf(
  { parameters, repeated = 0 }: FunctionDefinition,
  index: number,
  count: number,
): ArgumentKind {
  // A last value without a condition is for all other rows.
  const isLastOfPairs = repeated === 2 && index === count - 1 && count % 2 === 1;
  if (isLastOfPairs) return 'value';
  const position =
    index < parameters.length
      ? index
      : parameters.length - repeated + ((index - parameters.length) % repeated);
  return parameters[position]?.kind ?? 'any';
}

/** Returns what an argument must be if it isn't that. */
function mismatch(kind: ArgumentKind, value: Argument, isAggregate: boolean): string | undefined {
  const { type, formula } = value;
  if (kind === 'value') return undefined;
  if (isNull(formula)) return kind === 'any' ? 'a value' : names[kind];
  return fits(kind, value, type, isAggregate) ? undefined : names[kind];
}

function fits(kind: ArgumentKind, value: Argument, type: ColumnType, isAggregate: boolean): boolean {
  const { formula } = value;
  switch (kind) {
    case 'any':
      return !isAggregate || isGroupable(type);
    case 'value':
      return true;
    case 'ordered':
      return isOrdered(type);
    case 'boolean':
    case 'text':
      return type === kind;
    case 'number':
      return isNumeric(type);
    case 'wholeNumber':
      return type === 'integer' && Math.abs(literalOf(value) ?? 0) <= 1_000_000;
    case 'literal': {
      const literal = literalOf(value);
      return literal !== undefined && Number.isInteger(literal) && Math.abs(literal) <= 10;
    }
    case 'date':
      return isTemporal(type);
    case 'unit':
      return formula.kind === 'text' && rangeUnits.some((unit) => unit === formula.text.toLowerCase());
  }
}

const names: Readonly<Record<ArgumentKind, string>> = {
  any: 'a value that can be compared',
  ordered: 'a number, a date or text',
  value: 'a value',
  boolean: 'a condition',
  number: 'a number',
  wholeNumber: 'a whole number',
  literal: 'a whole number from -10 to 10',
  text: 'text',
  date: 'a date',
  unit: `one of the units ${rangeUnits.map((unit) => `"${unit}"`).join(', ')}`,
};

/** Returns a hint at a function with a similar name. */
function suggestion(name: string): string {
  const similar = formulaFunctions.find((one) => one.name.startsWith(name) || name.startsWith(one.name));
  return similar === undefined ? '' : ` Do you mean “${similar.name}”?`;
}
