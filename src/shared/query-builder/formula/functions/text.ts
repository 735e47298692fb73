import { isNumeric } from '../../../columns.ts';
import { atom, call, cast, type Sql } from '../../sql/expression.ts';
import { local } from '../../sql/time.ts';
import type { Argument, FunctionDefinition, FunctionParameter } from './definition.ts';

const text: FunctionParameter = { name: 'text', kind: 'text' };
const searched: FunctionParameter = { name: 'searched', kind: 'text' };

/** A function of a text that is called the same in SQL. */
const simple = (name: string, description: string, example: string): FunctionDefinition => ({
  name,
  category: 'text',
  parameters: [text],
  description,
  example,
  result: name === 'length' ? 'integer' : 'text',
  sql: (_context, { sql }) => call(name, sql),
});

/** A test of a text that ignores case. */
const search = (
  name: string,
  where: string,
  sql: (dialect: Parameters<FunctionDefinition['sql']>[0]['dialect'], one: Sql, other: Sql) => Sql,
): FunctionDefinition => ({
  name,
  category: 'text',
  parameters: [text, searched],
  description: `Whether the searched text is ${where} the text. Ignores case.`,
  example: `${name}([name], "son")`,
  result: 'boolean',
  sql: ({ dialect }, one, other) => sql(dialect, call('lower', one.sql), call('lower', other.sql)),
});

export const textFunctions: readonly FunctionDefinition[] = [
  simple('lower', 'The text in lower case.', 'lower([email])'),
  simple('upper', 'The text in upper case.', 'upper([code])'),
  simple('trim', 'The text without spaces at its ends.', 'trim([name])'),
  simple('length', 'The number of characters.', 'length([name])'),
  {
    name: 'concat',
    category: 'text',
    parameters: [text],
    repeated: 1,
    description: 'The texts one after another; null counts as no text.',
    example: 'concat([first_name], " ", [last_name])',
    result: 'text',
    sql: (_context, ...values) => call('concat', ...values.map(({ sql }) => sql)),
  },
  {
    name: 'substring',
    category: 'text',
    parameters: [
      text,
      { name: 'start', kind: 'wholeNumber' },
      { name: 'length', kind: 'wholeNumber', isOptional: true },
    ],
    description: 'A part of the text, from a character on, which is counted from 1.',
    example: 'substring([code], 1, 3)',
    result: 'text',
    sql: (_context, { sql }, start, length) =>
      call('substring', sql, ...atLeast(start, 1), ...atLeast(length, 0)),
  },
  {
    name: 'replace',
    category: 'text',
    parameters: [text, searched, { name: 'replacement', kind: 'text' }],
    description: 'The text with each occurrence of the searched text replaced.',
    example: 'replace([phone], "-", "")',
    result: 'text',
    sql: (_context, ...values) => call('replace', ...values.map(({ sql }) => sql)),
  },
  search('contains', 'somewhere in', (dialect, one, other) => dialect.contains(one, other)),
  search('starts_with', 'at the start of', (_dialect, one, other) => call('starts_with', one, other)),
  search('ends_with', 'at the end of', (dialect, one, other) => dialect.endsWith(one, other)),
  {
    name: 'text',
    category: 'text',
    parameters: [{ name: 'value', kind: 'any' }],
    description: 'A number, a date, or true or false as text.',
    example: 'concat("No. ", text([id]))',
    result: 'text',
    sql(context, value) {
      const { dialect } = context;
      if (isNumeric(value.type)) return dialect.numberText(value.sql, value.type);
      return value.type === 'text' ? value.sql : cast(local(context, value).sql, dialect.types.text);
    },
  },
];

/** The engines disagree about positions before the text. */
function atLeast(value: Argument | undefined, least: number): readonly Sql[] {
  if (value === undefined) return [];
  const isValid = value.formula.kind === 'number' && Number(value.formula.text) >= least;
  if (isValid) return [value.sql];
  const { text } = value.sql;
  // Unlike greatest(…), it is null if the value is.
  return [atom(`CASE WHEN ${text} < ${least} THEN ${least} ELSE ${text} END`)];
}
