import { t } from '#shared/language/messages.ts';
import { exactSum } from '../values/exact-sum.ts';
import type { Formatter } from '../values/formats.ts';
import type { NamedValue } from '../values/named-values.ts';
import { toNumber, type ResultColumn } from '../values/result-values.ts';

/** A bar of a waterfall, from the total before it to the total after it. */
export interface Step {
  readonly name: string;
  readonly change: number;
  /** The formatted change, or total. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The formatted total after it. */
  readonly totalText: string;
  readonly rows: readonly (readonly unknown[])[];
  readonly type: 'change' | 'rest' | 'total';
}

/** With more bars, each is too thin. Those after it are one step, so that the total is that of all rows. */
const maxSteps = 100;

/** Returns the bars of a waterfall. The totals are exact sums of the values, not of rounded ones. */
export function waterfallSteps(
  items: readonly NamedValue[],
  measure: ResultColumn,
  format: Formatter,
  total: string | undefined,
): Step[] {
  const steps: Step[] = [];
  let sum = '0';
  const add = (name: string, added: readonly NamedValue[], type: 'change' | 'rest'): void => {
    const change = exactSum(added.map(({ row }) => row[measure.index])) ?? '0';
    const from = toNumber(sum) ?? 0;
    sum = exactSum([sum, change]) ?? '0';
    steps.push({
      name,
      change: toNumber(change) ?? 0,
      text: added.length === 1 ? (added[0]?.text ?? '') : format(change),
      from,
      to: toNumber(sum) ?? 0,
      totalText: format(sum),
      rows: added.map(({ row }) => row),
      type,
    });
  };
  const shown = items.length <= maxSteps ? items.length : maxSteps - 1;
  for (const item of items.slice(0, shown)) add(item.name, [item], 'change');
  const rest = items.slice(shown);
  if (rest.length > 0) add(t('Other ({count})', { count: rest.length }), rest, 'rest');
  if (total !== undefined && items.length > 0) {
    const text = format(sum);
    const to = toNumber(sum) ?? 0;
    steps.push({ name: total, change: to, text, from: 0, to, totalText: text, rows: [], type: 'total' });
  }
  return steps;
}
