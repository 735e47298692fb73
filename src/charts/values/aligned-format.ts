import type { Column } from '#contract/data-sources/data-sources.ts';
import { isNumeric } from '#shared/columns.ts';
import { numberFormat } from '#shared/region/intl.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter, type Formatter } from './formats.ts';

/** Fractions with more digits aren't aligned, since the zeros would fill the column. */
const maxDigits = 6;

/**
 * Returns a formatter for numbers below each other: each has as many digits after the decimal mark as the longest fraction
 * among `sample`. A value that needs more digits still has them. Formats that have a fixed number of digits are not changed.
 */
export function createAlignedFormatter(
  column: Pick<Column, 'type'>,
  format: ValueFormat = { kind: 'auto' },
  sample: readonly unknown[],
  locale?: string,
): Formatter {
  const natural = createFormatter(column, format, locale);
  const { kind, decimals, isCompact = false } = format;
  const hasOwnDigits = kind === 'auto' || kind === 'number' || kind === 'percent';
  if (!isNumeric(column.type) || !hasOwnDigits || decimals !== undefined || isCompact) return natural;
  const bare = createFormatter(column, { kind }, locale);
  const mark = decimalMark(locale);
  const digitsOf = (value: unknown): number =>
    /^\p{Nd}*/u.exec(bare(value).split(mark)[1] ?? '')?.[0].length ?? 0;
  const digits = sample.reduce<number>((most, value) => Math.max(most, digitsOf(value)), 0);
  if (digits === 0 || digits > maxDigits) return natural;
  const aligned = createFormatter(column, { ...format, decimals: digits }, locale);
  return (value) => (digitsOf(value) > digits ? natural(value) : aligned(value));
}

const decimalMark = (locale: string | undefined): string =>
  numberFormat({}, locale)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.';
