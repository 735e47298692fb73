import { isNumeric, type ColumnType } from '../../../columns.ts';
import { atom, call, cast } from '../../sql/expression.ts';
import { commonType } from '../types.ts';
import type { FunctionDefinition, FunctionParameter } from './definition.ts';

const number: FunctionParameter = { name: 'number', kind: 'number' };
const same = ([type = 'double']: readonly ColumnType[]): ColumnType => type;

/** A function of a number that is called the same in SQL. */
const simple = (name: string, description: string, example: string): FunctionDefinition => ({
  name,
  category: 'number',
  parameters: [number],
  description,
  example,
  result: same,
  sql: (_context, { sql }) => call(name, sql),
});

/** The smallest or greatest of several values. */
const extreme = (name: string, adjective: string): FunctionDefinition => ({
  name,
  category: 'number',
  parameters: [{ name: 'value', kind: 'value' }],
  repeated: 1,
  description: `The ${adjective} of the values of a row, without those that are null.`,
  example: `${name}([price], [list_price])`,
  result: (types) => commonType(types) ?? 'other',
  sql: (_context, ...values) => call(name, ...values.map(({ sql }) => sql)),
});

export const numberFunctions: readonly FunctionDefinition[] = [
  {
    name: 'round',
    category: 'number',
    parameters: [number, { name: 'digits', kind: 'literal', isOptional: true }],
    description: 'The number rounded to whole numbers, or to a number of digits; halves away from zero.',
    example: 'round([amount] * 0.19, 2)',
    result: same,
    sql: ({ dialect }, { sql, type }, digits) => dialect.round(sql, digits?.sql, type),
  },
  simple('floor', 'The number rounded down to a whole number.', 'floor([hours])'),
  simple('ceil', 'The number rounded up to a whole number.', 'ceil([hours])'),
  simple('abs', 'The number without its sign.', 'abs([balance])'),
  extreme('least', 'smallest'),
  extreme('greatest', 'greatest'),
  {
    name: 'number',
    category: 'number',
    parameters: [{ name: 'value', kind: 'any' }],
    description: 'Text as a number; no text is null. True is 1, and false is 0.',
    example: 'number([quantity_text])',
    result: ([type = 'text']) => (isNumeric(type) ? type : type === 'boolean' ? 'integer' : 'double'),
    sql({ dialect }, { sql, type }) {
      if (isNumeric(type)) return sql;
      if (type === 'boolean') return atom(`CASE WHEN ${sql.text} THEN 1 WHEN NOT (${sql.text}) THEN 0 END`);
      return cast(call('nullif', call('trim', sql), atom("''")), dialect.types.double);
    },
  },
];
