const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns what clocks in a time zone show at a time, to the second, in milliseconds since 1970 as if they showed UTC. Before the
 * year 1, it is negative infinity. Throws a `RangeError` for an unknown time zone.
 */
export function wallClockAt(time: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  if (parts.get('era') !== 'AD') return Number.NEGATIVE_INFINITY;
  const of = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

const createFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
