import { textLiteral } from '../sql/literals.ts';
import { call, cast, number, operation } from '../sql/expression.ts';
import type { Dialect } from './dialect.ts';

export const duckdb: Dialect = {
  defaultSchema: 'main',
  maxNameBytes: 1_000,
  types: {
    text: 'VARCHAR',
    integer: 'BIGINT',
    double: 'DOUBLE',
    date: 'DATE',
    datetime: 'TIMESTAMP',
    time: 'TIME',
    uuid: 'UUID',
  },
  descending: '',
  asText: (value) => value,
  quotient: (dividend, divisor) => operation(dividend, '/', divisor),
  remainder: (dividend, divisor) => operation(dividend, '%', divisor),
  integerQuotient: (dividend, divisor) => operation(dividend, '//', divisor),
  difference: (unit, from, to) => call('date_diff', textLiteral(unit), from, to),
  round: (value, digits) => (digits === undefined ? call('round', value) : call('round', value, digits)),
  // A double without a fraction would be written as 1.0.
  numberText: (value, type) =>
    type === 'double'
      ? call('regexp_replace', cast(value, 'VARCHAR'), textLiteral(String.raw`\.0$`), textLiteral(''))
      : cast(value, 'VARCHAR'),
  percentile(value, fraction, type) {
    // The percentile of decimals would be rounded to their digits.
    const exact = type === 'decimal' ? cast(value, 'DOUBLE') : value;
    return fraction === 0.5 ? call('median', exact) : call('quantile_cont', exact, number(fraction));
  },
  part: (part, value) => call(part, value),
  contains: (text, searched) => call('contains', text, searched),
  endsWith: (text, searched) => call('ends_with', text, searched),
};
