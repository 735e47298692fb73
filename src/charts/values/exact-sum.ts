/**
 * Returns the exact sum of numbers and texts of digits, as a text of digits; undefined if there are none. Other values, such
 * as missing ones, are left out.
 */
export function exactSum(values: Iterable<unknown>): string | undefined {
  let sum = 0n;
  let scale = 0;
  let count = 0;
  for (const value of values) {
    const parts = typeof value === 'number' || typeof value === 'string' ? decimal.exec(String(value)) : null;
    if (parts === null) continue;
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
    const places = fraction.length - Number(exponent);
    let units = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
    // Both have as many decimal places as the one with more.
    if (places > scale) {
      sum *= 10n ** BigInt(places - scale);
      scale = places;
    } else units *= 10n ** BigInt(scale - places);
    sum += units;
    count += 1;
  }
  return count === 0 ? undefined : textOf(sum, scale);
}

/** The exponents that a double has; a longer one would take long to add. */
const decimal = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let end = digits.length;
  while (end > whole.length && digits[end - 1] === '0') end -= 1;
  const fraction = digits.slice(whole.length, end);
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
