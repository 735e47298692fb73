import { chartKindOf } from '#shared/explore/axes.ts';
import { quoteName } from '#shared/sql/names.ts';
import { createValues, type Values } from './bound-sql.ts';
import { epochOf, localTime, valueOf, type ExploredColumn } from './sql.ts';
import { readRow, type Explored } from './target.ts';

/** What one pass over the rows says about a column. */
export interface ColumnSummary {
  readonly valueCount: number;
  readonly nullCount: number;
  /** The smallest and the largest finite value: for a time, in local seconds since 1970. */
  readonly min?: number;
  readonly max?: number;
  readonly notFiniteCount?: number;
  /** Whether nearly every one of the first rows has another value. */
  readonly isUnique?: boolean;
}

const largestNumber = Number.MAX_VALUE;

/** Returns the number of rows, and a summary of each column, from one pass over all rows and one over the first of them. */
export async function readSummaries(
  explored: Explored,
  columns: readonly ExploredColumn[],
  timeZone: string,
): Promise<{ readonly rowCount: number; readonly summaries: readonly ColumnSummary[] }> {
  const values = createValues(explored.parameters);
  const selected = ['count(*)', ...columns.flatMap((column) => expressionsOf(column, timeZone, values))];
  const query = values.bind(`SELECT\n  ${named(selected).join(',\n  ')}\nFROM ${explored.from}`);
  const [row, uniqueNames] = await Promise.all([readRow(explored, query), findUnique(explored, columns)]);
  const [rowCount = 0, ...rest] = row.map((value) => (value === null ? undefined : Number(value)));
  const summaries = columns.map((column): ColumnSummary => {
    const [valueCount = 0, finiteCount = 0, min, max] = rest.splice(0, 4);
    const counts = { valueCount, nullCount: rowCount - valueCount };
    const kind = chartKindOf(column.type);
    if (kind === 'values') return { ...counts, isUnique: uniqueNames.has(column.name) };
    if (kind === undefined || min === undefined || max === undefined) return counts;
    const notFinite = valueCount - finiteCount;
    return { ...counts, min, max, ...(notFinite > 0 && { notFiniteCount: notFinite }) };
  });
  return { rowCount, summaries };
}

/** Returns four expressions for every column: the counts of values and of finite ones, and the smallest and largest of those. */
function expressionsOf(column: ExploredColumn, timeZone: string, values: Values): string[] {
  const name = quoteName(column.name);
  const kind = chartKindOf(column.type);
  if (kind === 'number') {
    const number = `CAST(${name} AS double precision)`;
    // NaN is larger than every number.
    const finite =
      column.type === 'integer' ? '' : ` FILTER (WHERE abs(${number}) <= ${values.addNumber(largestNumber)})`;
    const [min, max] = ['min', 'max'].map(
      (extreme) => `CAST(${extreme}(${name})${finite} AS double precision)`,
    );
    return [`count(${name})`, `count(${name})${finite}`, min ?? '', max ?? ''];
  }
  if (kind === 'time') {
    const finite = ` FILTER (WHERE isfinite(${name}))`;
    const [min, max] = ['min', 'max'].map((extreme) =>
      epochOf(localTime(column, `${extreme}(${name})${finite}`, timeZone, values)),
    );
    return [`count(${name})`, `count(${name})${finite}`, min ?? '', max ?? ''];
  }
  return [`count(${name})`, '0', 'NULL', 'NULL'];
}

const named = (expressions: readonly string[]): string[] =>
  expressions.map((expression, index) => `${expression} AS c${index}`);

/** Counting the values of a column is slow if nearly all of them are different, and a chart of them shows nothing. */
const sampledRows = 10_000;
const smallRows = 1_000;
const uniqueShare = 0.95;

async function findUnique(
  explored: Explored,
  columns: readonly ExploredColumn[],
): Promise<ReadonlySet<string>> {
  const texts = columns.filter(({ type }) => type === 'text' || type === 'uuid');
  if (texts.length === 0) return new Set();
  const listed = texts.map((column, index) => `${valueOf(column)} AS c${index}`);
  const counted = texts.flatMap((_, index) => [`count(c${index})`, `count(DISTINCT c${index})`]);
  const sql =
    `SELECT ${counted.map((count, index) => `${count} AS n${index}`).join(', ')}\n` +
    `FROM (SELECT ${listed.join(', ')} FROM ${explored.from} LIMIT ${sampledRows}) AS first_rows`;
  const counts = await readRow(explored, { sql, parameters: [] });
  return new Set(
    texts.flatMap(({ name }, index) => {
      const [valueCount, distinctCount] = [Number(counts[index * 2]), Number(counts[index * 2 + 1])];
      return valueCount >= smallRows && distinctCount >= valueCount * uniqueShare ? [name] : [];
    }),
  );
}
