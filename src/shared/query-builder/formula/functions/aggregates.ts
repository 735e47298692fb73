import type { ColumnType } from '../../../columns.ts';
import type { Context } from '../../context.ts';
import { atom, call, type Sql } from '../../sql/expression.ts';
import type { Argument, ArgumentKind, FunctionDefinition } from './definition.ts';

interface Aggregate {
  readonly name: string;
  readonly argument: ArgumentKind;
  readonly description: string;
  readonly result: FunctionDefinition['result'];
  readonly sql: (context: Context, value: Argument) => Sql;
}

const same = ([type = 'double']: readonly ColumnType[]): ColumnType => type;

const aggregates: readonly Aggregate[] = [
  {
    name: 'sum',
    argument: 'number',
    description: 'The total of the numbers',
    result: same,
    sql: (_context, { sql }) => call('sum', sql),
  },
  {
    name: 'average',
    argument: 'number',
    description: 'The average of the numbers',
    result: 'double',
    sql: (_context, { sql }) => call('avg', sql),
  },
  {
    name: 'median',
    argument: 'number',
    description: 'The middle of the sorted numbers',
    result: 'double',
    sql: ({ dialect }, { sql, type }) => dialect.percentile(sql, 0.5, type),
  },
  {
    name: 'min',
    argument: 'ordered',
    description: 'The smallest value',
    result: same,
    sql: (_context, { sql }) => call('min', sql),
  },
  {
    name: 'max',
    argument: 'ordered',
    description: 'The greatest value',
    result: same,
    sql: (_context, { sql }) => call('max', sql),
  },
  {
    name: 'count_distinct',
    argument: 'any',
    description: 'The number of different values',
    result: 'integer',
    sql: (_context, { sql }) => atom(`count(DISTINCT ${sql.text})`),
  },
];

export const aggregateFunctions: readonly FunctionDefinition[] = [
  {
    name: 'count',
    category: 'aggregate',
    parameters: [{ name: 'value', kind: 'any', isOptional: true }],
    description: 'The number of rows, or of the rows that have a value.',
    example: 'sum([amount]) / count()',
    result: 'integer',
    sql: (_context, ...values) => call('count', values[0]?.sql ?? atom('*')),
  },
  {
    name: 'count_if',
    category: 'aggregate',
    parameters: [{ name: 'condition', kind: 'boolean' }],
    description: 'The number of rows for which the condition is true.',
    example: 'count_if([amount] > 100) / count()',
    result: 'integer',
    sql: (_context, { sql }) => filtered(call('count', atom('*')), sql),
  },
  ...aggregates.flatMap(({ name, argument, description, result, sql }): FunctionDefinition[] => {
    const column = argument === 'any' ? '[customer_id]' : '[amount]';
    const value = { name: argument === 'number' ? 'number' : 'value', kind: argument };
    const common = { category: 'aggregate', result } as const;
    return [
      {
        ...common,
        name,
        parameters: [value],
        description: `${description}.`,
        example: `${name}(${column})`,
        sql,
      },
      {
        ...common,
        name: `${name}_if`,
        parameters: [value, { name: 'condition', kind: 'boolean' }],
        description: `${description} of the rows for which the condition is true.`,
        example: `${name}_if(${column}, [region] = "North")`,
        sql: (context, argumentValue, condition) =>
          filtered(sql(context, argumentValue), condition?.sql ?? atom('TRUE')),
      },
    ];
  }),
];

/** Returns an aggregate of only the rows for which a condition is true. */
const filtered = (aggregate: Sql, condition: Sql): Sql =>
  atom(`${aggregate.text} FILTER (WHERE ${condition.text})`);
