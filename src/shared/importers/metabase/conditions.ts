import { t } from '../../language/messages.ts';
import { quoteName } from '../../sql/names.ts';
import { NotConvertible } from '../conversion.ts';
import { own, textIn } from '../values.ts';

/** A list of the query, with its options apart from its arguments. */
export function clauseOf(value: unknown): { name: string; options: unknown; args: readonly unknown[] } {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw unknown('');
  const isOptions = typeof value[1] === 'object' && value[1] !== null && !Array.isArray(value[1]);
  return isOptions
    ? { name: value[0], options: value[1], args: value.slice(2, 1_000) }
    : { name: value[0], options: undefined, args: value.slice(1, 1_000) };
}

export const unknown = (name: string): NotConvertible =>
  new NotConvertible(t('It uses “{name}”, which is not converted.', { name }));

export function columnOf(field: unknown): string {
  const { name, args } = clauseOf(field);
  const [path] = args;
  const column: unknown = Array.isArray(path) ? path.at(-1) : undefined;
  if (name !== 'field' || typeof column !== 'string') throw unknown(name);
  return column;
}

/** The units that `date_trunc` knows. */
export const timeUnits: ReadonlySet<string> = new Set([
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
]);

export function fieldSql(field: unknown): string {
  const column = quoteName(columnOf(field));
  const { options, args } = clauseOf(field);
  const settings = options ?? args[1];
  if (own(settings, 'source-field') !== undefined || own(settings, 'join-alias') !== undefined)
    throw unknown(t('a column of another table'));
  if (own(settings, 'binning') !== undefined) throw unknown('binning');
  const unit = textIn(settings, 'temporal-unit');
  if (unit === undefined || unit === 'default') return column;
  if (!timeUnits.has(unit)) throw unknown(unit);
  return `date_trunc('${unit}', ${column})`;
}

const maxDepth = 20;

/** Returns the condition of a filter. Throws `NotConvertible`. */
export function conditionSql(value: unknown, depth: number): string {
  if (depth > maxDepth) throw unknown('…');
  const { name, args, options } = clauseOf(value);
  if (name === 'and' || name === 'or')
    return `(${args.map((each) => conditionSql(each, depth + 1)).join(` ${name.toUpperCase()} `)})`;
  if (name === 'not') return `NOT (${conditionSql(args[0], depth + 1)})`;
  const field = fieldSql(args[0]);
  const values = args.slice(1);
  if (name === 'time-interval') return intervalSql(field, values, options ?? values[2]);
  const pattern = patterns.get(name);
  if (pattern !== undefined) return patternSql(field, pattern, values, options ?? values[1]);
  const literals = values.filter((each) => Array.isArray(each) || typeof each !== 'object').map(literal);
  const [first = ''] = literals;
  switch (name) {
    case 'is-empty':
      return `(${field} IS NULL OR ${field} = '')`;
    case 'not-empty':
      return `(${field} IS NOT NULL AND ${field} <> '')`;
    case 'is-null':
      return `${field} IS NULL`;
    case 'not-null':
      return `${field} IS NOT NULL`;
    case '=':
    case 'in':
      if (literals.length === 0) throw unknown(name);
      return literals.length === 1 ? `${field} = ${first}` : `${field} IN (${literals.join(', ')})`;
    case '!=':
    case 'not-in':
      if (literals.length === 0) throw unknown(name);
      return `(${field} IS NULL OR ${field} NOT IN (${literals.join(', ')}))`;
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (literals.length !== 1) throw unknown(name);
      return `${field} ${name} ${first}`;
    case 'between':
      if (literals.length !== 2) throw unknown(name);
      return `${field} BETWEEN ${first} AND ${literals[1]}`;
    default:
      throw unknown(name);
  }
}

/** The periods before the present one, or after it; with the option, the present one, too. */
function intervalSql(field: string, [count, unit]: readonly unknown[], options: unknown): string {
  const number = count === 'current' ? 0 : count;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 100_000)
    throw unknown('time-interval');
  if (typeof unit !== 'string' || !timeUnits.has(unit)) throw unknown('time-interval');
  const includesPresent = number === 0 || own(options, 'include-current') === true;
  // Three months instead of a quarter, which is not a unit of intervals.
  const [size, word] = unit === 'quarter' ? [3, 'month'] : [1, unit];
  const boundary = (periods: number) =>
    periods === 0
      ? `date_trunc('${unit}', now())`
      : `date_trunc('${unit}', now()) ${periods < 0 ? '-' : '+'} INTERVAL '${Math.abs(periods) * size} ${word}'`;
  const first = number < 0 ? number : includesPresent ? 0 : 1;
  const end = number > 0 ? number + 1 : includesPresent ? 1 : 0;
  return `(${field} >= ${boundary(first)} AND ${field} < ${boundary(end)})`;
}

/** Where a text is in another one, and whether it must not be there. */
const patterns: ReadonlyMap<string, Pattern> = new Map<string, Pattern>([
  ['contains', { text: (value) => `%${value}%` }],
  ['does-not-contain', { text: (value) => `%${value}%`, isNot: true }],
  ['starts-with', { text: (value) => `${value}%` }],
  ['ends-with', { text: (value) => `%${value}` }],
]);
interface Pattern {
  readonly text: (value: string) => string;
  readonly isNot?: true;
}

function patternSql(
  field: string,
  { text, isNot }: Pattern,
  [value]: readonly unknown[],
  options: unknown,
): string {
  if (typeof value !== 'string') throw unknown('contains');
  const ignoresCase = own(options, 'case-sensitive') === false;
  const pattern = literal(text(value.replaceAll(/[!%_]/g, '!$&')));
  const condition = ignoresCase
    ? `lower(${field}) LIKE lower(${pattern}) ESCAPE '!'`
    : `${field} LIKE ${pattern} ESCAPE '!'`;
  return isNot ? `(${field} IS NULL OR NOT (${condition}))` : condition;
}

function literal(value: unknown): string {
  if (Array.isArray(value) && value[0] === 'value') return literal(value[value[1] instanceof Object ? 2 : 1]);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && !value.includes('{{')) return `'${value.replaceAll("'", "''")}'`;
  throw unknown(Array.isArray(value) ? String(value[0]) : typeof value);
}
