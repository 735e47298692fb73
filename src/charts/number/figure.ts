import type { OfKind } from '../kind.ts';
import { compareNumber, differenceOf, type Comparison } from '../values/comparison.ts';
import { createFormatter } from '../values/formats.ts';
import {
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import { createStepFormatter } from '../values/time-steps.ts';

/** What a number shows. */
interface Figure {
  readonly column: ResultColumn;
  /** The row that it is from; undefined if there is none. */
  readonly row: readonly unknown[] | undefined;
  readonly text: string;
  readonly value: number | undefined;
  readonly comparison: Comparison | undefined;
  /** The values of all rows, the shown one last; undefined without a sparkline. */
  readonly history: readonly (number | undefined)[] | undefined;
}

/** Returns what a number shows: the first row, or the latest one if it has a trend. Undefined if its column is missing. */
export function figureOf(visualization: OfKind<'number'>, result: ResultRows): Figure | undefined {
  const column = findColumn(result, visualization.value);
  if (column === undefined) return undefined;
  const { trend, format } = visualization;
  const by = trend && findColumn(result, trend.by);
  const rows = by === undefined ? result.rows : inOrder(result.rows, by);
  const row = by === undefined ? rows[0] : rows.at(-1);
  const write = createFormatter(column, format);
  const valueIn = (of: readonly unknown[] | undefined) => of && toNumber(of[column.index]);
  const configured = row && compareNumber(visualization, { columns: result.columns, rows: [row] });
  return {
    column,
    row,
    text: write(row?.[column.index]),
    value: valueIn(row),
    comparison: configured ?? (trend && by && row && compareInTime(visualization, trend, rows, by, column)),
    history:
      by !== undefined && trend?.hasSparkline !== false && rows.length > 1 ? rows.map(valueIn) : undefined,
  };
}

/** Returns the rows that have a position, in its order. */
const inOrder = (rows: ResultRows['rows'], by: ResultColumn): ResultRows['rows'] =>
  rows
    .flatMap((row) => {
      const at = toPosition(row[by.index], by.type);
      return at === undefined ? [] : [{ row, at }];
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row);

/** Returns how the latest row compares with the one before it, or with the first. */
function compareInTime(
  { format }: OfKind<'number'>,
  {
    compareWith = 'previous',
    showAs = 'percent',
    isLessBetter = false,
  }: NonNullable<OfKind<'number'>['trend']>,
  rows: ResultRows['rows'],
  by: ResultColumn,
  column: ResultColumn,
): Comparison | undefined {
  const other = compareWith === 'none' ? undefined : compareWith === 'first' ? rows[0] : rows.at(-2);
  if (other === undefined || rows.length < 2) return undefined;
  const label = createStepFormatter(
    by,
    rows.map((row) => row[by.index]),
  )(other[by.index]);
  const [now, then] = [rows.at(-1)?.[column.index], other[column.index]];
  return differenceOf(now, then, { column, label, showAs, isLessBetter, format });
}
