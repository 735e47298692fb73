import { anyOf, atom, call, compare, postfix } from '../../sql/expression.ts';
import { commonType } from '../types.ts';
import type { Argument, FunctionDefinition } from './definition.ts';

export const logicFunctions: readonly FunctionDefinition[] = [
  {
    name: 'if',
    category: 'logic',
    parameters: [
      { name: 'condition', kind: 'boolean' },
      { name: 'value', kind: 'value' },
      { name: 'otherwise', kind: 'value', isOptional: true },
    ],
    description: 'The value if the condition is true; otherwise the other value, or nothing.',
    example: 'if([amount] > 100, "large", "small")',
    result: (types) => commonType(types.slice(1)) ?? 'other',
    sql: (_context, ...values) => caseSql(values),
  },
  {
    name: 'case',
    category: 'logic',
    parameters: [
      { name: 'condition', kind: 'boolean' },
      { name: 'value', kind: 'value' },
    ],
    repeated: 2,
    description:
      'The value after the first condition that is true. A last value without a condition is for all other rows.',
    example: 'case([amount] > 100, "large", [amount] > 10, "medium", "small")',
    result: (types) =>
      commonType(types.filter((_, index) => index % 2 === 1 || index === types.length - 1)) ?? 'other',
    sql: (_context, ...values) => caseSql(values),
  },
  {
    name: 'coalesce',
    category: 'logic',
    parameters: [{ name: 'value', kind: 'value' }],
    repeated: 1,
    description: 'The first of the values that isn’t empty (null).',
    example: 'coalesce([discount], 0)',
    result: (types) => commonType(types) ?? 'other',
    sql: (_context, ...values) => call('coalesce', ...values.map(({ sql }) => sql)),
  },
  {
    name: 'is_null',
    category: 'logic',
    parameters: [{ name: 'value', kind: 'any' }],
    description: 'Whether there is no value.',
    example: 'is_null([shipped_on])',
    result: 'boolean',
    sql: (_context, { sql }) => postfix(sql, 'IS NULL'),
  },
  {
    name: 'is_empty',
    category: 'logic',
    parameters: [{ name: 'text', kind: 'text' }],
    description: 'Whether there is no text, or text without any characters.',
    example: 'is_empty([comment])',
    result: 'boolean',
    sql: (_context, { sql }) => anyOf([postfix(sql, 'IS NULL'), compare(sql, '=', atom("''"))]),
  },
];

/** Returns `CASE WHEN … THEN … ELSE … END`, from conditions and values in turn, with the other value last. */
function caseSql(values: readonly Argument[]): ReturnType<typeof atom> {
  const parts: string[] = [];
  for (let index = 0; index + 1 < values.length; index += 2)
    parts.push(`WHEN ${values[index]?.sql.text ?? ''} THEN ${values[index + 1]?.sql.text ?? ''}`);
  if (values.length % 2 === 1) parts.push(`ELSE ${values.at(-1)?.sql.text ?? ''}`);
  return atom(`CASE ${parts.join(' ')} END`);
}
