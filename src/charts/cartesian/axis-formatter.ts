import { numberFormat } from '#shared/region/intl.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter, minScientific, type Formatter } from '../values/formats.ts';
import { toNumber } from '../values/result-values.ts';

const scientific = { notation: 'scientific', maximumFractionDigits: 6 } as const;

/**
 * Returns a function that formats the labels of an axis of numbers. Each has the decimals that its number requires, even if
 * `format` has fewer, so that no two labels of an axis are the same.
 */
export function axisFormatter(format: ValueFormat): Formatter {
  const plain = createFormatter({ type: 'double' }, format);
  const { kind, decimals = 0, isCompact = false, prefix = '', suffix = '' } = format;
  if (kind === 'text' || kind === 'date' || kind === 'datetime') return plain;
  const byDecimals = new Map<number, Formatter>();
  return (value) => {
    const number = toNumber(value);
    if (number === undefined) return plain(value);
    if (Math.abs(number) >= minScientific)
      return `${prefix}${numberFormat(scientific).format(number)}${suffix}`;
    const shown = kind === 'percent' ? number * 100 : isCompact ? inCompactUnit(number) : number;
    const needed = Math.max(decimals, decimalsOf(shown));
    const write =
      byDecimals.get(needed) ??
      createFormatter(
        { type: 'double' },
        { ...format, kind: kind === 'auto' ? 'number' : kind, decimals: needed },
      );
    byDecimals.set(needed, write);
    return write(number);
  };
}

/** Returns a number in thousands, millions, billions or trillions, whichever it is shown in. */
function inCompactUnit(number: number): number {
  const size = Math.abs(number);
  const unit = [1e12, 1e9, 1e6, 1e3].find((unit) => size >= unit) ?? 1;
  return number / unit;
}

/** Returns how many decimals a number has. Digits beyond the twelfth are errors of its calculation. */
const decimalsOf = (number: number): number => {
  const [digits = '', exponent = '0'] = Number(number.toPrecision(12)).toExponential().split('e');
  return Math.min(Math.max((digits.split('.')[1]?.length ?? 0) - Number(exponent), 0), 20);
};
