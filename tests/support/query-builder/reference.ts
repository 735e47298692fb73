import { isTemporal, type ColumnType } from '../../../src/shared/columns.ts';
import type {
  ColumnReference,
  Condition,
  Filter,
  Group,
  Grouping,
  Measure,
  QueryStructure,
} from '../../../src/shared/query-builder/structure.ts';
import { groupOf, localOf, moved } from './calendar.ts';
import type { Row, TestTable, Value } from './tables.ts';

/*
 * Computes the result of a structure with plain loops over rows, without its SQL.
 */

/** The values of the formulas of a structure, by their texts. */
export type Formulas = ReadonlyMap<string, (row: Row) => Value>;
export type MeasureFormulas = ReadonlyMap<string, (rows: readonly Row[]) => Value>;

export interface Reference {
  readonly structure: QueryStructure;
  readonly tables: readonly TestTable[];
  readonly formulas: Formulas;
  readonly measureFormulas: MeasureFormulas;
}

const keyOf = ({ table, name }: ColumnReference): string => (table === undefined ? name : `${table}.${name}`);

/** Returns the rows of the result before they are sorted and limited. */
export function computeResult(reference: Reference): Row[] {
  const { structure, formulas } = reference;
  const rows = joinedRows(reference)
    .map((row) => {
      const extended = new Map(row);
      for (const { name, formula } of structure.customColumns ?? [])
        extended.set(name, formulas.get(formula)?.(extended) ?? null);
      return extended;
    })
    .filter((row) => passesAll(reference, row, structure.filters ?? [], columnTypes(reference)));
  const { groups = [], measures = [] } = structure;
  if (groups.length + measures.length === 0) return rows;
  return summarize(reference, rows, groups, measures);
}

function joinedRows({ structure, tables }: Reference): Row[] {
  const rowsOf = (name: string): readonly Row[] => tables.find((table) => table.name === name)?.rows ?? [];
  let rows: Row[] = [...rowsOf(structure.table.name)];
  for (const { as, table, on, kind } of structure.joins ?? []) {
    rows = rows.flatMap((row) => {
      const matches = rowsOf(table.name).filter((other) =>
        on.every(({ left, right }) => {
          const value = row.get(keyOf(left)) ?? null;
          return value !== null && isSame(value, other.get(right) ?? null);
        }),
      );
      const added = matches.length === 0 && kind === 'left' ? [new Map<string, Value>()] : matches;
      return added.map(
        (other) =>
          new Map([
            ...row,
            ...table.columns.map(({ name }) => [`${as}.${name}`, other.get(name) ?? null] as const),
          ]),
      );
    });
  }
  return rows;
}

/** Returns the types of the columns by their keys. Those of custom columns are not needed: only formulas use them. */
function columnTypes({ structure }: Reference): ReadonlyMap<string, ColumnType> {
  const { table, joins = [] } = structure;
  return new Map([
    ...table.columns.map(({ name, type }) => [name, type] as const),
    ...joins.flatMap(({ as, table: joined }) =>
      joined.columns.map(({ name, type }) => [`${as}.${name}`, type] as const),
    ),
  ]);
}

/** Returns whether two values that aren't null are equal: NaN is equal to itself. */
const isSame = (one: Value, other: Value): boolean =>
  one === other || (Number.isNaN(one) && Number.isNaN(other));

/** Returns which of two values comes first: NaN is the greatest number, and null comes last. */
export function order(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (Number.isNaN(one) || Number.isNaN(other))
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return Number(one) - Number(other);
}

function passesAll(
  reference: Reference,
  row: Row,
  filters: readonly Filter[],
  types: ReadonlyMap<string, ColumnType>,
): boolean {
  return filters.every((filter) => {
    if ('any' in filter) return filter.any.some((list) => passesAll(reference, row, list, types));
    if ('formula' in filter) return reference.formulas.get(filter.formula)?.(row) === true;
    const key = keyOf(filter.column);
    return passes(reference.structure, types.get(key) ?? 'double', row.get(key) ?? null, filter);
  });
}

function passes(structure: QueryStructure, type: ColumnType, value: Value, condition: Condition): boolean {
  const { timeZone = 'UTC', weekStart = 'monday' } = structure;
  const local = (moment: Value): string =>
    type === 'instant' ? localOf(String(moment), timeZone) : String(moment);
  const isDay = (wanted: unknown): boolean =>
    isTemporal(type) && type !== 'date' && String(wanted).length === 10;
  switch (condition.operator) {
    case 'is':
    case 'is_not': {
      const isOne =
        value !== null &&
        condition.values.some((wanted) =>
          isDay(wanted) ? local(value).slice(0, 10) === wanted : isSame(value, wanted),
        );
      return isOne === (condition.operator === 'is');
    }
    case 'contains':
      return value !== null && String(value).toLowerCase().includes(condition.text.toLowerCase());
    case 'does_not_contain':
      return value === null || !String(value).toLowerCase().includes(condition.text.toLowerCase());
    case 'starts_with':
      return value !== null && String(value).toLowerCase().startsWith(condition.text.toLowerCase());
    case 'ends_with':
      return value !== null && String(value).toLowerCase().endsWith(condition.text.toLowerCase());
    case 'between': {
      const { from, to } = condition;
      if (value === null) return false;
      const isAfter =
        from === undefined ||
        (isDay(from) ? local(value).slice(0, 10) >= String(from) : order(value, from) >= 0);
      const isBefore =
        to === undefined || (isDay(to) ? local(value).slice(0, 10) <= String(to) : order(value, to) <= 0);
      return isAfter && isBefore;
    }
    case 'relative': {
      if (value === null) return false;
      const { count, unit, direction, includesCurrent = false } = condition;
      const now = localOf(new Date().toISOString(), timeZone);
      const start = (offset: number): string => moved(String(groupOf(now, unit, weekStart)), offset, unit);
      const isCurrentIncluded = includesCurrent || direction === 'this';
      const from = direction === 'last' ? start(-count) : start(isCurrentIncluded ? 0 : 1);
      const to = direction === 'next' ? start(count + 1) : start(isCurrentIncluded ? 1 : 0);
      const moment = local(value);
      return moment >= from && moment < to;
    }
    case 'in_group': {
      const group = groupValue(structure, type, value, condition);
      return condition.value === undefined
        ? value === null
        : group !== null && isSame(group, condition.value);
    }
    case 'is_empty':
      return value === null || value === '';
    case 'is_not_empty':
      return value !== null && value !== '';
  }
}

/** Returns the group that a value belongs to. */
export function groupValue(
  { timeZone = 'UTC', weekStart = 'monday' }: QueryStructure,
  type: ColumnType,
  value: Value,
  { granularity, binWidth }: Grouping,
): Value {
  if (value === null) return null;
  if (binWidth !== undefined) return binOf(Number(value), binWidth);
  if (granularity === undefined) return value;
  const local = type === 'instant' ? localOf(String(value), timeZone) : String(value);
  return groupOf(local, granularity, weekStart);
}

/** The values and widths of the tests are multiples of 1/1000, so that the division is exact. */
function binOf(value: number, width: number): number {
  if (Number.isNaN(value)) return value;
  return (
    (Math.floor(Math.round(value * 1_000) / Math.round(width * 1_000)) * Math.round(width * 1_000)) / 1_000
  );
}

function summarize(
  reference: Reference,
  rows: readonly Row[],
  groups: readonly Group[],
  measures: readonly Measure[],
): Row[] {
  const { structure } = reference;
  const types = columnTypes(reference);
  const byGroup = new Map<string, { keys: Value[]; rows: Row[] }>();
  if (groups.length === 0) byGroup.set(keyText([]), { keys: [], rows: [] });
  for (const row of rows) {
    const keys = groups.map((group) => {
      const key = keyOf(group.column);
      return groupValue(structure, types.get(key) ?? 'double', row.get(key) ?? null, group);
    });
    const found = byGroup.get(keyText(keys)) ?? { keys, rows: [] };
    found.rows.push(row);
    byGroup.set(keyText(keys), found);
  }
  const summary = [...byGroup.values()].map(({ keys, rows: grouped }) => ({
    keys,
    values: measures.map((measure) => aggregate(reference, measure, grouped)),
  }));
  const result = summary.map(({ keys, values }) => {
    const compared = measures.map((measure, index) =>
      compareMeasure(reference, summary, keys, values[index] ?? null, index),
    );
    return new Map<string, Value>([
      ...groups.map((group, index) => [group.name ?? group.column.name, keys[index] ?? null] as const),
      ...measures.map(({ name }, index) => [name, compared[index] ?? null] as const),
    ]);
  });
  const resultTypes = new Map<string, ColumnType>(
    groups.map(({ name, column, granularity }) => {
      const type = types.get(keyOf(column)) ?? 'double';
      return [name ?? column.name, granularity === undefined ? type : 'date'];
    }),
  );
  return result.filter((row) => passesAll(reference, row, structure.resultFilters ?? [], resultTypes));
}

/** Returns a text that is the same for equal lists of values. */
export const keyText = (values: readonly Value[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'number' ? String(value + 0) : value)));

function aggregate({ measureFormulas }: Reference, measure: Measure, rows: readonly Row[]): Value {
  if (measure.aggregate === 'count') return rows.length;
  if (measure.aggregate === 'formula') return measureFormulas.get(measure.formula)?.(rows) ?? null;
  const values = rows.map((row) => row.get(keyOf(measure.column)) ?? null).filter((value) => value !== null);
  const percent = measure.aggregate === 'percentile' ? measure.percent : 50;
  return aggregateOf(measure.aggregate, values, percent);
}

/** Returns an aggregate of values that aren't null. */
export function aggregateOf(
  name: Exclude<Measure['aggregate'], 'count' | 'formula'>,
  values: readonly Value[],
  percent = 50,
): Value {
  if (name === 'count_distinct') return new Set(values.map((value) => keyText([value]))).size;
  if (values.length === 0) return null;
  const numbers = values as readonly number[];
  const sorted = values.toSorted(order);
  switch (name) {
    case 'sum':
      return numbers.reduce((one, other) => one + other, 0);
    case 'average':
      return numbers.reduce((one, other) => one + other, 0) / numbers.length;
    case 'min':
      return sorted[0] ?? null;
    case 'max':
      return sorted.at(-1) ?? null;
    case 'median':
    case 'percentile': {
      const position = (percent / 100) * (sorted.length - 1);
      const [low, high] = [Math.floor(position), Math.ceil(position)].map((index) =>
        Number(sorted[index]),
      ) as [number, number];
      return low + (high - low) * (position - Math.floor(position));
    }
  }
}

interface Summarized {
  readonly keys: readonly Value[];
  readonly values: readonly Value[];
}

function compareMeasure(
  { structure }: Reference,
  summary: readonly Summarized[],
  keys: readonly Value[],
  value: Value,
  index: number,
): Value {
  const { groups = [], measures = [], table } = structure;
  const comparison = measures[index]?.comparison;
  if (comparison === undefined) return value;
  const period = groups.findIndex(
    ({ column, granularity }) =>
      isTemporal(table.columns.find(({ name }) => name === column.name)?.type ?? 'other') &&
      granularity?.includes('_of_') !== true,
  );
  const others = (except: number): string => keyText(keys.filter((_, position) => position !== except));
  const within = (except: number): Summarized[] =>
    summary.filter(
      (one) => keyText(one.keys.filter((_, position) => position !== except)) === others(except),
    );
  const total = (rows: readonly Summarized[]): Value =>
    aggregateOf(
      'sum',
      rows.map((one) => one.values[index] ?? null).filter((one) => one !== null),
    );
  if (comparison === 'share_of_total') return quotient(value, total(within(groups.length - 1)));
  const rows = within(period);
  const current = keys[period] ?? null;
  if (comparison === 'running_total')
    return total(rows.filter((one) => order(one.keys[period] ?? null, current) <= 0));
  const unit = (groups[period]?.granularity ?? 'day') as 'day';
  const previous =
    rows.find((one) => current !== null && one.keys[period] === moved(String(current), -1, unit))?.values[
      index
    ] ?? null;
  if (value === null || previous === null) return null;
  if (comparison === 'change') return Number(value) - Number(previous);
  const share = quotient(value, previous);
  return share === null ? null : Number(share) - 1;
}

export const quotient = (dividend: Value, divisor: Value): Value =>
  dividend === null || divisor === null || divisor === 0 ? null : Number(dividend) / Number(divisor);
