import { t } from '../../language/messages.ts';
import { quoteName } from '../../sql/names.ts';
import { NotConvertible } from '../conversion.ts';
import { listIn, numberIn, objectsIn, own, textIn, type Fields } from '../values.ts';
import { clauseOf, columnOf, conditionSql, fieldSql, unknown } from './conditions.ts';

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
  const order = listIn(stage, 'order-by').map((each) =>
    orderSql(
      each,
      groups.length,
      measures.map(({ uuid }) => uuid),
    ),
  );
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

const aggregates: ReadonlyMap<string, string> = new Map([
  ['count', 'count'],
  ['sum', 'sum'],
  ['avg', 'avg'],
  ['min', 'min'],
  ['max', 'max'],
  ['distinct', 'count'],
]);

function aggregateSql(value: unknown): { sql: string; name: string; uuid: string | undefined } {
  const { name, args, options } = clauseOf(value);
  const label = textIn(options, 'display-name') ?? textIn(options, 'name');
  const uuid = textIn(options, 'lib/uuid');
  const [field] = args;
  if (name === 'count' && field === undefined) return { sql: 'count(*)', name: label ?? 'count', uuid };
  const sql = aggregates.get(name);
  if (sql === undefined || field === undefined) throw unknown(name);
  const argument = `${name === 'distinct' ? 'DISTINCT ' : ''}${fieldSql(field)}`;
  return { sql: `${sql}(${argument})`, name: label ?? (name === 'distinct' ? 'count' : name), uuid };
}

/** An order by a summary has the number of its column. Newer versions name it by its UUID, older ones by its index. */
function orderSql(value: unknown, groupCount: number, measures: readonly (string | undefined)[]): string {
  const { name, args } = clauseOf(value);
  const direction = name === 'desc' ? 'DESC' : 'ASC';
  const { name: kind, args: inner } = clauseOf(args[0]);
  if (kind === 'aggregation') {
    const [reference] = inner;
    const index = typeof reference === 'number' ? reference : measures.indexOf(String(reference));
    if (!Number.isInteger(index) || index < 0 || index >= measures.length) throw unknown('order-by');
    return `${groupCount + index + 1} ${direction}`;
  }
  if (kind !== 'field' || (measures.length > 0 && groupCount === 0)) throw unknown('order-by');
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
