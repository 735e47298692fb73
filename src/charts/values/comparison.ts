import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { t } from '#shared/language/messages.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter } from './formats.ts';
import { findColumn, toNumber, type ResultRows } from './result-values.ts';

type NumberVisualization = Extract<Visualization, { kind: 'number' }>;

/** A comparison of two numbers as text, whether the first is more or less, and whether that is good. */
export interface Comparison {
  readonly text: string;
  readonly direction: 'more' | 'less' | 'same';
  readonly isGood: boolean | undefined;
}

/** Returns the comparison that is configured for a number; undefined if there is none, or no row or column to compare. */
export function compareNumber(
  { value: field, comparison, format }: NumberVisualization,
  result: ResultRows,
): Comparison | undefined {
  const measure = findColumn(result, field);
  const other = comparison && findColumn(result, comparison.field);
  const row = result.rows[0];
  if (comparison === undefined || measure === undefined || other === undefined || row === undefined)
    return undefined;
  const { label = other.name, isLessBetter = false, showAs = 'percent' } = comparison;
  return differenceOf(row[measure.index], row[other.index], {
    column: other,
    label,
    showAs,
    isLessBetter,
    format,
  });
}

/** Returns how a value compares with an earlier one. Without a number to compare, it is the earlier one itself. */
export function differenceOf(
  nowValue: unknown,
  thenValue: unknown,
  {
    column,
    label,
    showAs,
    isLessBetter,
    format,
  }: {
    /** The column of the earlier value. */
    readonly column: Pick<Column, 'type'>;
    readonly label: string;
    readonly showAs: 'difference' | 'percent' | 'value';
    readonly isLessBetter: boolean;
    readonly format: ValueFormat | undefined;
  },
): Comparison {
  const [now, then] = [toNumber(nowValue), toNumber(thenValue)];
  if (showAs === 'value' || now === undefined || then === undefined || (showAs === 'percent' && then === 0)) {
    const write = createFormatter(column, format);
    return { text: `${label}: ${write(thenValue)}`, direction: 'same', isGood: undefined };
  }
  const difference = now - then;
  if (difference === 0)
    return { text: t('Same as {label}', { label }), direction: 'same', isGood: undefined };
  const isMore = difference > 0;
  const amount =
    showAs === 'percent'
      ? createFormatter({ type: 'double' }, { kind: 'percent' })(Math.abs(difference / then))
      : createFormatter({ type: 'double' }, format)(Math.abs(difference));
  return {
    text: isMore
      ? t('{amount} more than {label}', { amount, label })
      : t('{amount} less than {label}', { amount, label }),
    direction: isMore ? 'more' : 'less',
    isGood: isMore !== isLessBetter,
  };
}
