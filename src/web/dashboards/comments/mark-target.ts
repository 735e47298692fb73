import type { CommentMark } from '#contract/dashboards/comments.ts';
import { markWriter, type Mark } from '#charts/marks/mark.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { maxMarkLength, maxMarkTextLength } from '#shared/comments.ts';

const maxColumns = 20;
/** How much of each text is kept: as much as fits into a comment. The rest seldom distinguishes values. */
const textLengths = [300, 100, 20];

/** Returns a value of a result as a comment refers to it; undefined if it can't be identified. */
export function markTarget(mark: Mark, result: ResultRows): CommentMark | undefined {
  const [row] = mark.rows;
  const names = [...new Set([...mark.fields, ...mark.measures])].slice(0, maxColumns);
  const text = markWriter(result)(mark).trim().slice(0, maxMarkTextLength).toWellFormed();
  if (row === undefined || text === '') return undefined;
  const shortened = (value: unknown, length: number): CommentMark['values'][string] => {
    if (typeof value === 'string') return value.slice(0, length).toWellFormed();
    return typeof value === 'number' || typeof value === 'boolean' ? value : null;
  };
  const targetOf = (length: number): CommentMark => {
    const values = names.map((name) => {
      const value = row[result.columns.findIndex((column) => column.name === name)];
      return [name, shortened(value, length)] as const;
    });
    return { values: Object.fromEntries(values), text };
  };
  return textLengths.map(targetOf).find((target) => JSON.stringify(target).length <= maxMarkLength);
}
