import { rangeUnits, type RangeUnit, type WeekStart } from '../../../src/shared/query-builder/structure.ts';
import { groupOf, localOf, moved, weekdayOf } from './calendar.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { aggregateOf, order, quotient } from './reference.ts';
import { strangeTexts, type Row, type Value } from './tables.ts';

/** A formula of random parts, and its value for a row, which is computed beside it. */
export interface TestFormula {
  readonly text: string;
  readonly value: (row: Row) => Value;
}

/** A formula of a measure, and its value for the rows of a group. */
export interface TestMeasure {
  readonly text: string;
  readonly value: (rows: readonly Row[]) => Value;
}

/** Makes random formulas over the columns of the test tables. */
export function formulaMaker(
  random: SeededRandom,
  { timeZone, weekStart }: { readonly timeZone: string; readonly weekStart: WeekStart },
): {
  readonly anything: () => TestFormula;
  readonly boolean: (depth: number) => TestFormula;
  readonly measure: () => TestMeasure;
} {
  const pick = <Item>(...items: readonly Item[]): Item => random.pick(items);
  const column = (...names: readonly string[]): TestFormula => {
    const name = pick(...names);
    return { text: `[${name}]`, value: (row) => row.get(name) ?? null };
  };
  const integer = (): TestFormula => {
    const number = random.integer(-4, 4);
    return { text: String(number), value: () => number };
  };
  /** Returns a formula whose value is null if one of its parts is. */
  const strict = (
    text: string,
    parts: readonly TestFormula[],
    compute: (...values: never[]) => Value,
  ): TestFormula => ({
    text,
    value(row) {
      const values = parts.map((part) => part.value(row));
      return values.includes(null) ? null : compute(...(values as never[]));
    },
  });
  const choose = (condition: TestFormula, one: TestFormula, other: TestFormula): TestFormula =>
    pick(
      {
        text: `if(${condition.text}, ${one.text}, ${other.text})`,
        value: (row: Row) => (condition.value(row) === true ? one : other).value(row),
      },
      {
        text: `case(${condition.text}, ${one.text}, is_null(${other.text}), ${one.text})`,
        value: (row: Row) =>
          condition.value(row) === true || other.value(row) === null ? one.value(row) : null,
      },
      {
        text: `coalesce(${one.text}, ${other.text})`,
        value: (row: Row) => one.value(row) ?? other.value(row),
      },
    );

  /** A column or an integer, which are exact in both engines. */
  const exact = (): TestFormula => pick(column('quantity', 'id', 'price', 'ratio'), integer());

  function number(depth: number): TestFormula {
    if (depth === 0) return exact();
    const [one, other] = [number(depth - 1), number(depth - 1)];
    const [left, right] = [column('quantity', 'id', 'ratio'), column('quantity', 'id', 'ratio')];
    const [from, to] = [moment(), moment()];
    const unit = pick(...rangeUnits);
    const rounded = column('price', 'ratio');
    const some = moment();
    return pick(
      strict(`(${one.text} + ${other.text})`, [one, other], (a: number, b: number) => a + b),
      strict(`(${one.text} - ${other.text})`, [one, other], (a: number, b: number) => a - b),
      strict(`(${one.text} * ${other.text})`, [one, other], (a: number, b: number) => a * b),
      strict(`(${one.text} / ${right.text})`, [one, right], (a: number, b: number) => quotient(a, b)),
      strict(`(${left.text} % ${right.text})`, [left, right], (a: number, b: number) =>
        b === 0 ? null : a % b,
      ),
      strict(`-${one.text}`.replace('--', '- -'), [one], (a: number) => -a),
      strict(`round(${rounded.text}, 1)`, [rounded], (a: number) => halfAway(a, 10)),
      strict(`round(${rounded.text})`, [rounded], (a: number) => halfAway(a, 1)),
      strict(`floor(${rounded.text})`, [rounded], (a: number) => Math.floor(a)),
      strict(`ceil(${rounded.text})`, [rounded], (a: number) => Math.ceil(a)),
      strict(`abs(${one.text})`, [one], (a: number) => Math.abs(a)),
      {
        text: `greatest(${left.text}, ${right.text})`,
        value: (row) =>
          [left.value(row), right.value(row)]
            .filter((value) => value !== null)
            .toSorted(order)
            .at(-1) ?? null,
      },
      choose(boolean(depth - 1), one, other),
      strict(
        `length(${column('region').text})`,
        [{ text: '', value: (row) => row.get('region') ?? null }],
        (text: string) => Array.from(text).length,
      ),
      { text: 'number([paid])', value: (row) => (row.get('paid') === null ? null : Number(row.get('paid'))) },
      strict(`date_diff(${from.text}, ${to.text}, "${unit}")`, [from, to], (a: string, b: string) =>
        difference(a, b, unit),
      ),
      strict(`year(${some.text})`, [some], (a: string) => Number(local(a).slice(0, 4))),
      strict(`weekday(${some.text})`, [some], (a: string) => weekdayOf(local(a))),
      strict(`day(${some.text})`, [some], (a: string) => Number(local(a).slice(8, 10))),
    );
  }

  const local = (text: string): string => (text.endsWith('Z') ? localOf(text, timeZone) : text);
  const moment = (): TestFormula => column('day', 'at', 'seen');

  function difference(one: string, other: string, unit: RangeUnit): number {
    const isShort = unit === 'hour' || unit === 'minute';
    const isElapsed = isShort && one.endsWith('Z') && other.endsWith('Z');
    const [from, to] = [one, other].map((text) => {
      const shown = isElapsed ? text.slice(0, -1) : local(text);
      const group = String(groupOf(shown.length === 10 ? `${shown}T00:00:00` : shown, unit, weekStart));
      return new Date(group.length === 10 ? `${group}T00:00:00Z` : `${group}Z`);
    }) as [Date, Date];
    const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
    const milliseconds = to.getTime() - from.getTime();
    return {
      minute: milliseconds / 60_000,
      hour: milliseconds / 3_600_000,
      day: milliseconds / 86_400_000,
      week: milliseconds / 604_800_000,
      month: months,
      quarter: Math.round(months / 3),
      year: to.getUTCFullYear() - from.getUTCFullYear(),
    }[unit];
  }

  function text(depth: number): TestFormula {
    const literal = pick(...strangeTexts);
    const quoted = {
      text: pick(`"${literal.replaceAll('"', '""')}"`, `'${literal.replaceAll("'", "''")}'`),
      value: () => literal,
    };
    if (depth === 0) return pick(column('region'), quoted);
    const [one, other] = [text(depth - 1), text(depth - 1)];
    const [start, length] = [pick(integer(), column('quantity')), pick(integer(), column('quantity'))];
    return pick(
      strict(`lower(${one.text})`, [one], (a: string) => a.toLowerCase()),
      strict(
        `trim(concat("  ", ${one.text}))`,
        [{ text: '', value: (row) => one.value(row) ?? '' }],
        (a: string) => a.replaceAll(/^ +| +$/g, ''),
      ),
      {
        text: `concat(${one.text}, ${other.text})`,
        value: (row) => `${one.value(row) ?? ''}${other.value(row) ?? ''}`,
      },
      strict(
        `substring(${one.text}, ${start.text}, ${length.text})`,
        [one, start, length],
        (a: string, from: number, size: number) =>
          Array.from(a)
            .slice(Math.max(from, 1) - 1, Math.max(from, 1) - 1 + Math.max(size, 0))
            .join(''),
      ),
      strict(`replace(${one.text}, "a", ${other.text})`, [one, other], (a: string, b: string) =>
        a.replaceAll('a', () => b),
      ),
      {
        text: 'text([quantity])',
        value: (row) => (row.get('quantity') === null ? null : String(row.get('quantity'))),
      },
      {
        text: 'text([price])',
        value: (row) => (row.get('price') === null ? null : Number(row.get('price')).toFixed(2)),
      },
      { text: 'text([day])', value: (row) => row.get('day') ?? null },
      choose(boolean(depth - 1), one, other),
    );
  }

  function boolean(depth: number): TestFormula {
    const [left, right] = pick(
      [exact(), exact()],
      [text(0), text(0)],
      [column('day'), column('day', 'at')],
      [column('seen'), column('seen')],
    );
    const operator = pick('=', '<>', '<', '<=', '>', '>=');
    const comparison = strict(
      `${left.text} ${operator} ${right.text}`,
      [left, right],
      (...values: readonly Value[]) => {
        const [a, b] = values.map((value) => value ?? null) as [Value, Value];
        const sides = [a, b].map((value) =>
          typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value,
        ) as [Value, Value];
        const sign = order(...sides);
        return {
          '=': sign === 0,
          '<>': sign !== 0,
          '<': sign < 0,
          '<=': sign <= 0,
          '>': sign > 0,
          '>=': sign >= 0,
        }[operator];
      },
    );
    if (depth === 0) return pick(column('paid'), comparison);
    const [one, other] = [boolean(depth - 1), boolean(depth - 1)];
    const [whole, part] = [text(0), text(0)];
    const any = pick(number(0), text(0), moment());
    const limit = pick('2026-03-29', '2026-06-30');
    return pick(
      {
        text: `(${one.text} and ${other.text})`,
        value(row) {
          const values = [one.value(row), other.value(row)];
          return values.includes(false) ? false : values.includes(null) ? null : true;
        },
      },
      {
        text: `(${one.text} or ${other.text})`,
        value(row) {
          const values = [one.value(row), other.value(row)];
          return values.includes(true) ? true : values.includes(null) ? null : false;
        },
      },
      strict(`(not ${one.text})`, [one], (a: boolean) => !a),
      strict(`contains(${whole.text}, ${part.text})`, [whole, part], (a: string, b: string) =>
        a.toLowerCase().includes(b.toLowerCase()),
      ),
      strict(`starts_with(${whole.text}, ${part.text})`, [whole, part], (a: string, b: string) =>
        a.toLowerCase().startsWith(b.toLowerCase()),
      ),
      strict(`ends_with(${whole.text}, ${part.text})`, [whole, part], (a: string, b: string) =>
        a.toLowerCase().endsWith(b.toLowerCase()),
      ),
      { text: `is_null(${any.text})`, value: (row) => any.value(row) === null },
      {
        text: `is_empty(${whole.text})`,
        value: (row) => [null, ''].includes(whole.value(row) as string | null),
      },
      strict(`[seen] >= "${limit}"`, [column('seen')], (seen: string) => local(seen) >= limit),
      comparison,
    );
  }

  function date(): TestFormula {
    const value = moment();
    const unit = pick('day', 'week', 'month', 'quarter', 'year' as const);
    const count = integer();
    const day = column('day');
    return pick(
      strict(`date(${value.text})`, [value], (a: string) => local(a).slice(0, 10)),
      strict(`start_of(${value.text}, "${unit}")`, [value], (a: string) =>
        groupOf(local(a), unit, weekStart),
      ),
      strict(`date_add(${day.text}, ${count.text}, "${unit}")`, [day, count], (a: string, by: number) =>
        moved(a, by, unit),
      ),
      strict(
        `date_add(${day.text}, [quantity], "${unit}")`,
        [day, column('quantity')],
        (a: string, by: number) => moved(a, by, unit),
      ),
    );
  }

  const anything = (): TestFormula => pick(number(2), text(2), boolean(2), date());

  function measure(): TestMeasure {
    const [summed, other] = [column('quantity', 'price', 'ratio'), column('quantity', 'price', 'ratio')];
    const condition = boolean(1);
    const valuesOf = (rows: readonly Row[], formula: TestFormula): Value[] =>
      rows.map((row) => formula.value(row)).filter((value) => value !== null);
    const passing = (rows: readonly Row[]): Row[] => rows.filter((row) => condition.value(row) === true);
    const aggregate = pick('sum', 'average', 'median', 'min', 'max', 'count_distinct' as const);
    const plus = (one: Value, two: Value): Value =>
      one === null || two === null ? null : Number(one) + Number(two);
    return pick(
      {
        text: `sum(${summed.text}) / count()`,
        value: (rows: readonly Row[]) => quotient(aggregateOf('sum', valuesOf(rows, summed)), rows.length),
      },
      {
        text: `${aggregate}(${summed.text}) + count(${other.text})`,
        value: (rows: readonly Row[]) =>
          plus(aggregateOf(aggregate, valuesOf(rows, summed)), valuesOf(rows, other).length),
      },
      {
        text: `${aggregate}_if(${summed.text}, ${condition.text})`,
        value: (rows: readonly Row[]) => aggregateOf(aggregate, valuesOf(passing(rows), summed)),
      },
      {
        text: `count_if(${condition.text}) / count()`,
        value: (rows: readonly Row[]) => quotient(passing(rows).length, rows.length),
      },
    );
  }

  return { anything, boolean, measure };
}

function halfAway(value: number, scale: number): number {
  if (Number.isNaN(value)) return value;
  const thousandths = Math.round(Math.abs(value) * 1_000);
  return (Math.sign(value) * Math.floor(thousandths / (1_000 / scale) + 0.5)) / scale;
}
