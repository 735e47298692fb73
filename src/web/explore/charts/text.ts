import { numberFormat } from '#shared/region/intl.ts';
import { edgeAt, timeText, type RangeAxis, type Selection } from '#shared/explore/axes.ts';
import { t } from '#shared/language/messages.ts';

const numbers = { maximumSignificantDigits: 12 };
const shortNumbers = { notation: 'compact', maximumSignificantDigits: 4 } as const;

export const countText = (count: number): string => numberFormat().format(count);

/** Returns an edge of an axis in few characters. */
export function edgeText(axis: RangeAxis, index: number): string {
  const edge = edgeAt(axis, index);
  if (axis.kind === 'time') return spaced(timeText(axis, edge));
  return Math.abs(edge) >= 1e6 ? numberFormat(shortNumbers).format(edge) : numberFormat(numbers).format(edge);
}

/** Returns the exact values of a range, such as `10 to 20`; the end is excluded. */
export const rangeText = ({ from, to }: Exclude<Selection, { readonly kind: 'values' }>): string =>
  t('{from} to {to}', { from: valueText(from), to: valueText(to) });

const valueText = (value: string | number): string =>
  typeof value === 'number' ? numberFormat(numbers).format(value) : spaced(value);

const spaced = (time: string): string => time.replace('T', ' ').replace(/:00$/, '');

/** Returns how a value of a chart is shown. */
export function labelOf(value: string | boolean | null): string {
  if (value === null) return t('No value');
  if (value === '') return t('Empty text');
  return String(value);
}

/** Returns a share such as `3.4%`. */
export const shareText = (part: number, whole: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(whole === 0 ? 0 : part / whole);
