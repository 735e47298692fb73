import { quoteIfNeeded } from '../../sql/names.ts';
import { isNumeric, isTemporal } from '../../columns.ts';
import type { Context } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import type { GroupColumn } from '../groups/groups.ts';
import { createResultNames } from '../names.ts';
import { identifierOf } from '../parameters.ts';
import { atom, call, number, operation, type Sql } from '../sql/expression.ts';
import { interval } from '../sql/literals.ts';
import type { Select, SelectedColumn } from '../sql/select.ts';
import { isRangeUnit } from '../sql/time.ts';
import type { Comparison, Measure, RangeUnit } from '../structure.ts';
import type { MeasureColumn } from './measures.ts';

/** Reports comparisons that the groups or their measures don't allow. */
export function reportComparisonFaults(
  groups: readonly GroupColumn[],
  measures: readonly MeasureColumn[],
  all: readonly Measure[],
  report: ReportFault,
): void {
  const period = periodOf(groups);
  for (const { measure, type } of measures) {
    const { comparison } = measure;
    if (comparison === undefined) continue;
    const pointer = `/measures/${all.indexOf(measure)}/comparison`;
    if (!isNumeric(type)) report(pointer, 'Only numbers can be compared.');
    else if (comparison !== 'share_of_total' && period === undefined)
      report(pointer, 'Group the rows by dates or times to compare periods.');
    else if (needsUnit(comparison) && unitOf(period) === undefined)
      report(pointer, 'Choose a unit such as months for the group of dates or times.');
  }
}

const needsUnit = (comparison: Comparison): boolean =>
  comparison === 'change' || comparison === 'percent_change';

/** Returns the group of dates or times that periods are compared in. */
const periodOf = (groups: readonly GroupColumn[]): GroupColumn | undefined =>
  groups.find(({ type }) => isTemporal(type));

/** Returns the unit of the periods of a group; undefined if each moment is a group. */
function unitOf(period: GroupColumn | undefined): RangeUnit | undefined {
  if (period === undefined) return undefined;
  if (period.granularity !== undefined && isRangeUnit(period.granularity)) return period.granularity;
  return period.type === 'date' ? 'day' : undefined;
}

/** The columns of the summary that measures are compared in, and of the comparison. */
export interface ComparedColumns {
  readonly summary: readonly SelectedColumn[];
  readonly compared: readonly SelectedColumn[];
  readonly windows: Select['windows'];
}

/** Returns the columns of a query in two steps: the first summarizes, the second compares. */
export function comparedColumns(
  context: Context,
  groups: readonly GroupColumn[],
  measures: readonly MeasureColumn[],
): ComparedColumns {
  const names = createResultNames();
  const summary: SelectedColumn[] = [];
  const plain = measures.filter(({ measure }) => measure.comparison === undefined);
  for (const { sql, as, name } of [...groups, ...plain.map((column) => ({ ...column, name: undefined }))]) {
    names.take(as);
    summary.push({ sql, as: name === as ? undefined : as });
  }
  const bases = new Map(plain.map(({ sql, as }) => [sql.text, as]));
  for (const { measure, sql } of measures) {
    if (bases.has(sql.text)) continue;
    const as = names.takeFirst(baseName(measure));
    bases.set(sql.text, as);
    summary.push({ sql, as });
  }

  const window = windowOf(groups, measures);
  const compared: SelectedColumn[] = groups.map(({ as }) => ({ sql: column(as), as: undefined }));
  for (const { measure, sql, type, as } of measures) {
    const { comparison } = measure;
    const value = column(comparison === undefined ? as : (bases.get(sql.text) ?? as));
    if (comparison === undefined) compared.push({ sql: value, as: undefined });
    else compared.push({ sql: comparisonSql(context, groups, window.over, comparison, { value, type }), as });
  }
  return { summary, compared, windows: window.windows };
}

const column = (name: string): Sql => atom(quoteIfNeeded(name));

/** Returns the name of a measure whose own name is that of its comparison. */
function baseName(measure: Measure): string {
  if (measure.aggregate === 'count') return 'row_count';
  if (measure.aggregate === 'formula') return 'value';
  return `${measure.aggregate}_${identifierOf(measure.column.name).toLowerCase()}`;
}

/** Returns how a comparison refers to the periods in order, and their definition if there is more than one such reference. */
function windowOf(
  groups: readonly GroupColumn[],
  measures: readonly MeasureColumn[],
): { readonly over: string; readonly windows: Select['windows'] } {
  const period = periodOf(groups);
  const definition = windowText(
    groups.filter((group) => group !== period),
    period,
  );
  const comparisons = measures
    .flatMap(({ measure }) => measure.comparison ?? [])
    .filter((one) => one !== 'share_of_total');
  const isNamed = comparisons.length > 1 || comparisons.some(needsUnit);
  return isNamed
    ? { over: 'OVER periods', windows: [{ name: 'periods', definition }] }
    : { over: `OVER (${definition})`, windows: [] };
}

function windowText(partition: readonly GroupColumn[], order?: GroupColumn): string {
  const parts: string[] = [];
  if (partition.length > 0)
    parts.push(`PARTITION BY ${partition.map(({ as }) => quoteIfNeeded(as)).join(', ')}`);
  if (order !== undefined) parts.push(`ORDER BY ${quoteIfNeeded(order.as)}`);
  return parts.join(' ');
}

function comparisonSql(
  { dialect }: Context,
  groups: readonly GroupColumn[],
  over: string,
  comparison: Comparison,
  { value, type }: { readonly value: Sql; readonly type: MeasureColumn['type'] },
): Sql {
  const period = periodOf(groups);
  switch (comparison) {
    case 'share_of_total': {
      // The last group is divided, within the other ones.
      const total = atom(`${call('sum', value).text} OVER (${windowText(groups.slice(0, -1))})`);
      return dialect.quotient(value, call('nullif', total, number(0)), [type, type]);
    }
    case 'running_total':
      return atom(`${call('sum', value).text} ${over}`);
    case 'change':
    case 'percent_change': {
      const previous = atom(`${call('lag', value).text} ${over}`);
      const change =
        comparison === 'change'
          ? operation(value, '-', previous)
          : operation(
              dialect.quotient(value, call('nullif', previous, number(0)), [type, type]),
              '-',
              number(1),
            );
      const [unit, name] = [unitOf(period) ?? 'day', column(period?.as ?? '')];
      // The previous row is not that of the previous period if there is a gap.
      return atom(`CASE WHEN lag(${name.text}) ${over} = ${before(name, unit).text} THEN ${change.text} END`);
    }
  }
}

/** Returns the start of the period before another. */
function before(start: Sql, unit: RangeUnit): Sql {
  if (unit === 'quarter') return operation(start, '-', interval(3, 'month'));
  return operation(start, '-', unit === 'week' ? interval(7, 'day') : interval(1, unit));
}
