import type { Visualization } from '#contract/reports/visualizations.ts';
import { createFormatter } from './formats.ts';
import { findColumn, toNumber, type ResultRows } from './result-values.ts';

type NumberVisualization = Extract<Visualization, { kind: 'number' }>;

/** How a number stands to another: in words, whether it is more or less, and whether that is good. */
export interface Comparison {
  readonly words: string;
  readonly direction: 'more' | 'less' | 'same';
  readonly isGood: boolean | undefined;
}

/** Returns the comparison of a number that its description asks for; undefined when there is none to make. */
export function compareNumber(
  { value: field, comparison, format }: NumberVisualization,
  result: ResultRows,
): Comparison | undefined {
  const measure = findColumn(result, field);
  const other = comparison && findColumn(result, comparison.field);
  const row = result.rows[0];
  if (comparison === undefined || measure === undefined || other === undefined || row === undefined)
    return undefined;
  const [now, then] = [toNumber(row[measure.index]), toNumber(row[other.index])];
  const { label = other.name, isLessBetter = false, showAs = 'percent' } = comparison;
  if (showAs === 'value' || now === undefined || then === undefined || (showAs === 'percent' && then === 0)) {
    const write = createFormatter(other, format);
    return { words: `${label}: ${write(row[other.index])}`, direction: 'same', isGood: undefined };
  }
  const difference = now - then;
  if (difference === 0) return { words: `Same as ${label}`, direction: 'same', isGood: undefined };
  const isMore = difference > 0;
  const amount =
    showAs === 'percent'
      ? createFormatter({ type: 'double' }, { kind: 'percent' })(Math.abs(difference / then))
      : createFormatter({ type: 'double' }, format)(Math.abs(difference));
  return {
    words: `${amount} ${isMore ? 'more' : 'less'} than ${label}`,
    direction: isMore ? 'more' : 'less',
    isGood: isMore !== isLessBetter,
  };
}
