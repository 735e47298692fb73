import type { ColumnProfile } from '#contract/explore.ts';
import { quoteName } from '#shared/sql/names.ts';
import { valueOf, type ExploredColumn } from './sql.ts';
import { readRow, type Explored } from './target.ts';

const shownValues = 12;

/** Returns the most frequent values of a column with their counts, how many rows have others, and how many values there are. */
export async function readTopValues(
  explored: Explored,
  column: ExploredColumn,
): Promise<Partial<ColumnProfile>> {
  const sql = `SELECT array_agg(value) AS listed, array_agg(row_count) AS counts, max(distinct_count) AS distinct_count, max(value_count) AS value_count
FROM (
SELECT value, row_count, count(*) OVER () AS distinct_count, sum(row_count) OVER () AS value_count
FROM (SELECT ${valueOf(column)} AS value, count(*) AS row_count FROM ${explored.from} WHERE ${quoteName(column.name)} IS NOT NULL GROUP BY 1) AS counted
ORDER BY row_count DESC, value
LIMIT ${shownValues}
) AS top_values`;
  const [listed, counts, distinctCount, valueCount] = await readRow(explored, { sql, parameters: [] });
  if (!Array.isArray(listed) || !Array.isArray(counts)) return {};
  // Sound because the query returns a list of values and a list of numbers. Lists are in no certain order.
  const pairs = (listed as (string | boolean)[])
    .map((value, index) => ({ value, count: Number(counts[index]) }))
    .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
  const others = Number(valueCount) - pairs.reduce((sum, { count }) => sum + count, 0);
  return {
    axis: { kind: 'values', column: column.name, values: pairs.map(({ value }) => value) },
    cells: [...pairs.keys(), pairs.length],
    counts: [...pairs.map(({ count }) => count), others],
    distinctCount: Number(distinctCount),
  };
}
