import { t } from '../../language/messages.ts';
import { quoteName } from '../../sql/names.ts';
import { NotConvertible } from '../conversion.ts';
import { listIn, numberIn, objectsIn, own, textIn, type Fields } from '../values.ts';

/**
 * Returns the SQL of one stage of a query that was built in Metabase: a table with filters, groups, summaries, an order and a limit.
 * Throws `NotConvertible` for what else it has, such as joins and custom expressions. Lists begin with a name, such as
 * `[">", {}, ["field", {}, ["db", "schema", "table", "column"]], 3]`; older versions have no options after the name.
 */
export function sqlOfStage(stage: Fields): string {
  for (const name of ['joins', 'expressions', 'source-card', 'source-query'])
    if (own(stage, name) !== undefined)
      throw new NotConvertible(t('It uses “{name}”, which is not converted.', { name }));
  const path = listIn(stage, 'source-table');
  if (path.length < 2) throw new NotConvertible(t('Its table is not known.'));
  const table = path
    .slice(1)
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => quoteName(String(part)))
    .join('.');
  const groups = listIn(stage, 'breakout').map((field) => ({ sql: fieldSql(field), name: columnOf(field) }));
  const measures = listIn(stage, 'aggregation').map(aggregateSql);
  const columns = listIn(stage, 'fields').map((field) => fieldSql(field));
  const selected = [
    ...groups.map(({ sql, name }) => `${sql} AS ${quoteName(name)}`),
    ...measures.map(({ sql, name }, index) => {
      const isTaken = measures.findIndex((each) => each.name === name) < index;
      return `${sql} AS ${quoteName(isTaken ? `${name}_${index + 1}` : name)}`;
    }),
  ];
  const list = selected.length > 0 ? selected : columns;
  const single = own(stage, 'filter');
  const filters = [...listIn(stage, 'filters'), ...(single === undefined ? [] : [single])].map((each) =>
    conditionSql(each, 0),
  );
  const order = listIn(stage, 'order-by').map((each) => orderSql(each, groups.length, measures.length));
  const limit = numberIn(stage, 'limit');
  return [
    `SELECT ${list.length === 0 ? '*' : list.join(', ')}`,
    `FROM ${table}`,
    ...(filters.length === 0 ? [] : [`WHERE ${filters.join('\n  AND ')}`]),
    ...(groups.length === 0 || measures.length === 0
      ? []
      : [`GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`]),
    ...(order.length > 0
      ? [`ORDER BY ${order.join(', ')}`]
      : groups.length > 0
        ? [`ORDER BY ${groups.map((_, index) => index + 1).join(', ')}`]
        : []),
    ...(limit === undefined ? [] : [`LIMIT ${Math.max(1, Math.trunc(limit))}`]),
  ].join('\n');
}

/** A list of the query, with its options apart from its arguments. */
function clauseOf(value: unknown): { name: string; options: unknown; args: readonly unknown[] } {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw unknown('');
  const isOptions = typeof value[1] === 'object' && value[1] !== null && !Array.isArray(value[1]);
  return isOptions
    ? { name: value[0], options: value[1], args: value.slice(2, 1_000) }
    : { name: value[0], options: undefined, args: value.slice(1, 1_000) };
}

const unknown = (name: string): NotConvertible =>
  new NotConvertible(t('It uses “{name}”, which is not converted.', { name }));

function columnOf(field: unknown): string {
  const { name, args } = clauseOf(field);
  const [path] = args;
  const column: unknown = Array.isArray(path) ? path.at(-1) : undefined;
  if (name !== 'field' || typeof column !== 'string') throw unknown(name);
  return column;
}

const units: ReadonlySet<string> = new Set(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']);

function fieldSql(field: unknown): string {
  const column = quoteName(columnOf(field));
  const { options, args } = clauseOf(field);
  const settings = options ?? args[1];
  if (own(settings, 'source-field') !== undefined || own(settings, 'join-alias') !== undefined)
    throw unknown(t('a column of another table'));
  if (own(settings, 'binning') !== undefined) throw unknown('binning');
  const unit = textIn(settings, 'temporal-unit');
  if (unit === undefined || unit === 'default') return column;
  if (!units.has(unit)) throw unknown(unit);
  return `date_trunc('${unit}', ${column})`;
}

function aggregateSql(value: unknown): { sql: string; name: string } {
  const { name, args, options } = clauseOf(value);
  const label = textIn(options, 'display-name') ?? textIn(options, 'name');
  const [field] = args;
  if (name === 'count' && field === undefined) return { sql: 'count(*)', name: label ?? 'count' };
  const sql = { count: 'count', sum: 'sum', avg: 'avg', min: 'min', max: 'max', distinct: 'count' }[name];
  if (sql === undefined || field === undefined) throw unknown(name);
  const argument = `${name === 'distinct' ? 'DISTINCT ' : ''}${fieldSql(field)}`;
  return { sql: `${sql}(${argument})`, name: label ?? (name === 'distinct' ? 'count' : name) };
}

const maxDepth = 20;

function conditionSql(value: unknown, depth: number): string {
  if (depth > maxDepth) throw unknown('…');
  const { name, args } = clauseOf(value);
  if (name === 'and' || name === 'or')
    return `(${args.map((each) => conditionSql(each, depth + 1)).join(` ${name.toUpperCase()} `)})`;
  if (name === 'not') return `NOT (${conditionSql(args[0], depth + 1)})`;
  const field = fieldSql(args[0]);
  const values = args.slice(1);
  const literals = values.filter((each) => Array.isArray(each) || typeof each !== 'object').map(literal);
  const [first = ''] = literals;
  switch (name) {
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

function literal(value: unknown): string {
  if (Array.isArray(value) && value[0] === 'value') return literal(value[value[1] instanceof Object ? 2 : 1]);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && !value.includes('{{')) return `'${value.replaceAll("'", "''")}'`;
  throw unknown(Array.isArray(value) ? String(value[0]) : typeof value);
}

/** An order by a group or a summary has the number of its column. */
function orderSql(value: unknown, groupCount: number, measureCount: number): string {
  const { name, args } = clauseOf(value);
  const direction = name === 'desc' ? 'DESC' : 'ASC';
  const { name: kind, args: inner } = clauseOf(args[0]);
  if (kind === 'aggregation' && typeof inner[0] === 'number' && inner[0] >= 0 && inner[0] < measureCount)
    return `${groupCount + Math.trunc(inner[0]) + 1} ${direction}`;
  if (kind !== 'field' || (measureCount > 0 && groupCount === 0)) throw unknown('order-by');
  return `${fieldSql(args[0])} ${direction}`;
}

/** Returns the stages of a query: newer versions have a list, older ones a single `query` or `native`. */
export function stagesOf(query: Fields): Fields[] {
  const stages = objectsIn(query, 'stages');
  if (stages.length > 0) return stages;
  return [
    ...objectsIn({ list: [own(query, 'query')] }, 'list'),
    ...objectsIn({ list: [own(query, 'native')] }, 'list'),
  ];
}
