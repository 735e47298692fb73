/*
 * Writes days and fractions of seconds since 1970 as ISO 8601. `Date` supports neither the range of years of the databases
 * nor microseconds.
 */

const daysOf400Years = 146_097;

/** Returns `2024-02-29`, for example. A year before 0 or after 9999 has a sign and at least six digits, as in JavaScript. */
export function isoDate(epochDay: number): string {
  // The calendar repeats every 400 years, so the rest is in the range of `Date`.
  const cycles = Math.floor(epochDay / daysOf400Years);
  const date = new Date((epochDay - cycles * daysOf400Years) * 86_400_000);
  const year = date.getUTCFullYear() + cycles * 400;
  return `${isoYear(year)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}

/** Returns `12:30:00` or `12:30:00.25`, for example: the fraction has no trailing zeros. */
export function isoTime(dayTime: bigint, unitsOfSecond: bigint): string {
  const seconds = Number(dayTime / unitsOfSecond);
  const rest = dayTime % unitsOfSecond;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction(rest, unitsOfSecond)}`;
}

/** Returns `2024-02-29T12:30:00.25`, for example, without a time zone. */
export function isoDatetime(sinceEpoch: bigint, unitsOfSecond: bigint): string {
  const unitsOfDay = 86_400n * unitsOfSecond;
  const remainder = sinceEpoch % unitsOfDay;
  const dayTime = remainder < 0n ? remainder + unitsOfDay : remainder;
  return `${isoDate(Number((sinceEpoch - dayTime) / unitsOfDay))}T${isoTime(dayTime, unitsOfSecond)}`;
}

/** Returns `+02:00`, for example, and seconds if there are any. */
export function isoOffset(offsetSeconds: number): string {
  const rest = Math.abs(offsetSeconds);
  const seconds = rest % 60 === 0 ? '' : `:${two(rest % 60)}`;
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}${seconds}`;
}

/** Returns `P1Y2M3DT4H5M6.7S`, for example; `PT0S` for zero. Each part has its own sign, as in PostgreSQL. */
export function isoInterval(months: number, days: number, micros: bigint): string {
  const minutes = micros / 60_000_000n;
  const seconds = micros % 60_000_000n;
  const date = part(Math.trunc(months / 12), 'Y') + part(months % 12, 'M') + part(days, 'D');
  const time = part(Number(minutes / 60n), 'H') + part(Number(minutes % 60n), 'M') + secondsPart(seconds);
  if (time !== '') return `P${date}T${time}`;
  return date === '' ? 'PT0S' : `P${date}`;
}

const part = (count: number, unit: string): string => (count === 0 ? '' : `${count}${unit}`);

function secondsPart(micros: bigint): string {
  if (micros === 0n) return '';
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? '-' : ''}${size / 1_000_000n}${fraction(size % 1_000_000n, 1_000_000n)}S`;
}

function fraction(rest: bigint, unitsOfSecond: bigint): string {
  if (rest === 0n) return '';
  if (rest % 10n === 0n) return fraction(rest / 10n, unitsOfSecond / 10n);
  const digits = String(unitsOfSecond).length - 1;
  return `.${String(rest).padStart(digits, '0')}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
