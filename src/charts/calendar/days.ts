import { exactSum } from '../values/exact-sum.ts';
import { toMilliseconds, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';

/** A day, and the exact sum of the values of its rows. */
export interface Day {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly value: number;
  /** All digits of the sum. */
  readonly sum: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns the days of a result that have a value, in their order. The day of an instant is that of the reader's zone. */
export function daysOf({ rows }: ResultRows, date: ResultColumn, measure: ResultColumn): Day[] {
  const byDay = Map.groupBy(rows, (row) => {
    const milliseconds = toMilliseconds(row[date.index]);
    return milliseconds === undefined ? undefined : dayAt(milliseconds, date.type === 'instant');
  });
  return [...byDay]
    .flatMap(([day, ofDay]): Day[] => {
      const sum = day === undefined ? undefined : exactSum(ofDay.map((row) => row[measure.index]));
      const value = toNumber(sum);
      if (day === undefined || sum === undefined || value === undefined) return [];
      return [{ date: day, value, sum, rows: ofDay }];
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Returns a day as YYYY-MM-DD; undefined if its year doesn't have four digits, which no calendar shows. */
function dayAt(milliseconds: number, isLocal: boolean): string | undefined {
  const date = new Date(milliseconds);
  if (isLocal) date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
  const text = date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
