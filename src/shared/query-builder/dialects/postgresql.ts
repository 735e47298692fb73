import { isNumeric, type ColumnType } from '../../columns.ts';
import { atom, call, cast, compare, number, operation, type Sql } from '../sql/expression.ts';
import { textLiteral } from '../sql/literals.ts';
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
  asText: (value, sourceType) => (sourceType === undefined ? value : cast(value, 'TEXT')),
  quotient: (dividend, divisor, types) =>
    operation(types.every((type) => type === 'integer') ? cast(dividend, 'FLOAT8') : dividend, '/', divisor),
  // There is no remainder of FLOAT8.
  remainder: (dividend, divisor, types) =>
    types.includes('double')
      ? cast(operation(exact(dividend, types[0]), '%', exact(divisor, types[1])), 'FLOAT8')
      : operation(dividend, '%', divisor),
  integerQuotient: (dividend, divisor) => operation(dividend, '/', divisor),
  difference,
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

const exact = (value: Sql, type: ColumnType): Sql =>
  isNumeric(type) && type === 'double' ? cast(value, 'NUMERIC') : value;

function difference(unit: 'minute' | 'hour' | 'month' | 'quarter' | 'year', from: Sql, to: Sql): Sql {
  const part = (name: string, value: Sql): Sql => atom(`extract(${name} FROM ${value.text})`);
  const years = operation(part('year', to), '-', part('year', from));
  if (unit === 'year') return cast(years, 'INT');
  if (unit === 'month' || unit === 'quarter') {
    const rest = operation(part(unit, to), '-', part(unit, from));
    return cast(operation(operation(years, '*', number(unit === 'month' ? 12 : 4)), '+', rest), 'INT');
  }
  const [start, end] = [from, to].map((value) => call('date_trunc', textLiteral(unit), value)) as [Sql, Sql];
  const seconds = part('epoch', operation(end, '-', start));
  return cast(operation(seconds, '/', number(unit === 'hour' ? 3_600 : 60)), 'BIGINT');
}
