import { isTemporal, type ColumnType } from '../../../src/shared/columns.ts';
import type {
  Condition,
  Comparison,
  Filter,
  Group,
  Grouping,
  Join,
  Measure,
  QueryStructure,
  SimpleFilter,
} from '../../../src/shared/query-builder/structure.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { formulaMaker } from './formulas.ts';
import { groupValue, type Reference } from './reference.ts';
import { strangeName, strangeTexts, type TestTable, type Value } from './tables.ts';

const timeZones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'];

/** Returns a random structure over the test tables, with what the reference needs. */
export function randomStructure(
  random: SeededRandom,
  tables: readonly TestTable[],
  lookup: TestTable,
): Reference {
  const pick = <Item>(...items: readonly Item[]): Item => random.pick(items);
  const chance = (percent: number): boolean => random.integer(1, 100) <= percent;
  const some = <Item>(most: number, make: (index: number) => Item): Item[] =>
    Array.from({ length: random.integer(0, most) }, (_, index) => make(index));

  const table = pick(...tables);
  const timeZone = pick(...timeZones);
  const weekStart = pick('monday', 'sunday', 'saturday' as const);
  const formulas = formulaMaker(random, { timeZone, weekStart });
  const rowFormulas = new Map<string, (row: ReadonlyMap<string, Value>) => Value>();
  const measureFormulas = new Map<string, (rows: readonly ReadonlyMap<string, Value>[]) => Value>();
  const { schema, name, columns: columnsOfTable } = table;
  const base: QueryStructure = { table: { schema, name, columns: columnsOfTable }, timeZone, weekStart };
  const named = new Map(table.columns.map(({ name, type }) => [name, type]));

  function filterOf(name: string, type: ColumnType, of: TestTable | undefined): SimpleFilter {
    const values = (of?.rows ?? [])
      .map((row) => row.get(name) ?? null)
      .filter((value) => value !== null && !Number.isNaN(value));
    const present = values.length > 0 ? [pick(...values), pick(...values)] : [];
    const optional = chance(20) ? { isOptional: true } : {};
    return { column: { name }, ...optional, ...conditionOf(type, present as (string | number | boolean)[]) };
  }

  function conditionOf(type: ColumnType, present: readonly (string | number | boolean)[]): Condition {
    if (chance(10)) return { operator: pick('is_empty', 'is_not_empty') };
    if (type === 'boolean')
      return { operator: pick('is', 'is_not'), values: pick([true], [false], [true, false]) };
    if (type === 'text') {
      const text = pick(...strangeTexts);
      const operator = pick(
        'contains',
        'does_not_contain',
        'starts_with',
        'ends_with',
        'is',
        'is_not',
        'in_group' as const,
      );
      if (operator === 'in_group') return { operator, ...(chance(30) ? {} : { value: text }) };
      if (operator === 'is' || operator === 'is_not')
        return { operator, values: chance(50) ? [text] : [text, pick(...strangeTexts)] };
      return { operator, text };
    }
    const value = pick(...present, isTemporal(type) ? '2026-03-29' : 0.5) as string | number;
    const usable = type === 'date' ? String(value).slice(0, 10) : value;
    const other = pick(...present, usable) as string | number;
    const operator = pick(
      'is',
      'is_not',
      'between',
      'in_group',
      ...(isTemporal(type) ? (['relative'] as const) : []),
    );
    const isDayOnly = isTemporal(type) && chance(60);
    const as = (given: string | number): string | number =>
      isDayOnly || type === 'date' ? String(given).slice(0, 10) : given;
    switch (operator) {
      case 'is':
      case 'is_not':
        return {
          operator,
          values: chance(50)
            ? [as(usable)]
            : isDayOnly || !isTemporal(type)
              ? [as(usable), as(other)]
              : [usable],
        };
      case 'between':
        return {
          operator,
          ...pick({ from: as(usable) }, { to: as(other) }, { from: as(usable), to: as(other) }),
        };
      case 'relative':
        return {
          operator,
          direction: 'last',
          unit: pick('day', 'week', 'month', 'quarter', 'year'),
          count: random.integer(1, 3),
          includesCurrent: chance(50),
          ...(chance(20)
            ? { direction: 'this' as const, count: 1 }
            : chance(30)
              ? { direction: 'next' as const }
              : {}),
        };
      case 'in_group': {
        const grouping = groupingOf(type);
        const full =
          isTemporal(type) && type !== 'date' && String(usable).length === 10
            ? `${usable}T00:00:00${type === 'instant' ? 'Z' : ''}`
            : usable;
        const group = groupValue(base, type, full, grouping);
        return { operator, ...grouping, ...(group === null || chance(10) ? {} : { value: group }) };
      }
    }
  }

  function groupingOf(type: ColumnType): Grouping {
    if (isTemporal(type)) {
      const times = type === 'date' ? [] : (['hour', 'minute', 'hour_of_day'] as const);
      return chance(80)
        ? {
            granularity: pick(
              'day',
              'week',
              'month',
              'quarter',
              'year',
              'day_of_week',
              'month_of_year',
              ...times,
            ),
          }
        : {};
    }
    if (type === 'integer') return chance(50) ? { binWidth: pick(2, 5, 10, 2.5) } : {};
    if (type === 'decimal' || type === 'double')
      return chance(60) ? { binWidth: pick(0.1, 0.5, 1, 0.3, 2.5) } : {};
    return {};
  }

  const joins: Join[] = chance(30)
    ? [
        {
          kind: pick('left', 'inner' as const),
          table: { schema: '', name: lookup.name, columns: lookup.columns },
          as: pick('Lookup', 'labels', table.name === 't1' ? 'other' : 'Select'),
          on: [{ left: { name: 'quantity' }, right: 'quantity' }],
        },
      ]
    : [];
  const customColumns = some(2, (index) => {
    const { text, value } = formulas.anything();
    rowFormulas.set(text, value);
    return { name: ['computed', 'Über "x"'][index] ?? '', formula: text };
  });
  const filters = some(3, (): Filter => {
    if (chance(20)) {
      const { text, value } = formulas.boolean(2);
      rowFormulas.set(text, value);
      return { formula: text };
    }
    const filter = (): SimpleFilter => {
      const name = pick(...named.keys());
      return filterOf(name, named.get(name) ?? 'text', table);
    };
    return chance(15) ? { any: [[filter(), filter()], [filter()]] } : filter();
  });
  const shared = {
    ...base,
    ...(joins.length > 0 && { joins }),
    ...(customColumns.length > 0 && { customColumns }),
    ...(filters.length > 0 && { filters }),
  };
  /** Adds an order and a limit, which the reference doesn't need. */
  function reference(structure: QueryStructure, names: readonly string[]): Reference {
    const sort =
      names.length === 0 ? [] : some(2, () => ({ name: pick(...names), isDescending: chance(50) }));
    const limit = chance(30) ? { limit: random.integer(1, 8) } : {};
    return {
      structure: { ...structure, ...(sort.length > 0 && { sort }), ...limit },
      tables: [...tables, lookup],
      formulas: rowFormulas,
      measureFormulas,
    };
  }

  if (chance(35)) {
    const columns = [...table.columns, ...customColumns]
      .filter(() => chance(60))
      .map(({ name }) => ({ name }));
    const joined = joins.map(({ as }) => ({ table: as, name: 'label' }));
    const all = [...columns, ...joined];
    const chosen = all.length === 0 || chance(20) ? undefined : all;
    return reference(
      { ...shared, ...(chosen && { columns: chosen }) },
      columns.length > 0 ? columns.map(({ name }) => name) : ['id'],
    );
  }

  const groups = some(3, (index): Group => {
    const name = pick(...named.keys());
    return {
      column: { name },
      name: `g${index}${name === strangeName ? name : ''}`,
      ...groupingOf(named.get(name) ?? 'text'),
    };
  });
  const period = groups.find(
    ({ column, granularity }) =>
      isTemporal(named.get(column.name) ?? 'text') && granularity?.includes('_of_') !== true,
  );
  const isComparable =
    period !== undefined && (period.granularity !== undefined || named.get(period.column.name) === 'date');
  const measures = some(3, (index): Measure => {
    const comparison: { comparison?: Comparison } = chance(40)
      ? {
          comparison: pick(
            'share_of_total',
            ...(isComparable ? (['change', 'percent_change', 'running_total'] as const) : []),
          ),
        }
      : {};
    // Names that the tables also have must not confuse the engines.
    const name = ['price', 'Total {{x}}', 'quantity'][index] ?? '';
    const column = { name: pick('quantity', 'price', 'ratio') };
    const aggregate = pick(
      'count',
      'formula',
      'percentile',
      'sum',
      'average',
      'median',
      'min',
      'max',
      'count_distinct' as const,
    );
    if (aggregate === 'count') return { name, aggregate, ...comparison };
    if (aggregate === 'percentile')
      return { name, aggregate, column, percent: pick(0, 25, 90, 100), ...comparison };
    if (aggregate !== 'formula')
      return {
        name,
        aggregate,
        column:
          ['count_distinct', 'min', 'max'].includes(aggregate) && !('comparison' in comparison)
            ? { name: pick('region', 'day', 'seen', 'price', 'ratio') }
            : column,
        ...comparison,
      };
    const { text, value } = formulas.measure();
    measureFormulas.set(text, value);
    return { name, aggregate, formula: text, ...comparison };
  });
  if (groups.length + measures.length === 0) return reference(shared, []);
  const exactMeasures = measures.filter(
    (measure) => measure.aggregate === 'count' && measure.comparison === undefined,
  );
  const resultFilters = chance(30)
    ? exactMeasures
        .map(({ name }) => filterOf(name, 'integer', undefined))
        .filter((filter) => !('operator' in filter && filter.operator === 'in_group'))
    : [];
  return reference(
    {
      ...shared,
      ...(groups.length > 0 && { groups }),
      ...(measures.length > 0 && { measures }),
      ...(resultFilters.length > 0 && { resultFilters }),
    },
    [...groups, ...measures].flatMap(({ name }) => name ?? []),
  );
}
