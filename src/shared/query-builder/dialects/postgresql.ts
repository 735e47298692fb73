import { isNumeric, type ColumnType } from '../../columns.ts';
import { atom, call, cast, compare, number, operation, type Sql } from '../sql/expression.ts';
import type { Dialect } from './dialect.ts';

export const postgresql: Dialect = {
  defaultSchema: 'public',
  maxNameBytes: 63,
  types: {
    text: 'TEXT',
    integer: 'BIGINT',
    double: 'FLOAT8',
    date: 'DATE',
    datetime: 'TIMESTAMP',
    time: 'TIME',
    uuid: 'UUID',
  },
  descending: ' NULLS LAST',
  asText: (value, sourceType) =>
    sourceType === undefined || textTypes.test(sourceType) ? value : cast(value, 'TEXT'),
  quotient: (dividend, divisor, types) =>
    operation(types.includes('double') ? dividend : cast(dividend, 'FLOAT8'), '/', divisor),
  // There is no remainder of FLOAT8.
  remainder: (dividend, divisor, types) =>
    types.includes('double')
      ? cast(operation(exact(dividend, types[0]), '%', exact(divisor, types[1])), 'FLOAT8')
      : operation(dividend, '%', divisor),
  // FLOAT8 would be rounded half to even, and can't be rounded to digits.
  round(value, digits, type) {
    if (type === 'integer' && digits === undefined) return value;
    const rounded = call('round', exact(value, type), ...(digits === undefined ? [] : [digits]));
    return type === 'double' ? cast(rounded, 'FLOAT8') : rounded;
  },
  numberText: (value) => cast(value, 'TEXT'),
  percentile: (value, fraction) =>
    atom(`percentile_cont(${number(fraction).text}) WITHIN GROUP (ORDER BY ${value.text})`),
  part: (part, value) => cast(atom(`extract(${part} FROM ${value.text})`), 'INT'),
  contains: (text, searched) => compare(call('strpos', text, searched), '>', number(0)),
  endsWith: (text, searched) => compare(call('right', text, call('length', searched)), '=', searched),
};

const textTypes = /^(text|varchar|bpchar|char|name|citext)\b/;

const exact = (value: Sql, type: ColumnType): Sql =>
  isNumeric(type) && type === 'double' ? cast(value, 'NUMERIC') : value;
