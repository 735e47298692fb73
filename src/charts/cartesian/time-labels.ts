import { dayMs } from '#shared/dates/days.ts';
import { dateFormat } from '#shared/region/intl.ts';

/**
 * Returns a function that writes the labels of a time axis in the locale of the organization: a year, a month, or a day or time. All have
 * the year, in a second line if necessary, because a narrow chart shows only a few of them.
 */
export function createTimeLabels(isUtc: boolean, locale?: string): (milliseconds: number) => string {
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const write = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, ...zone }, locale);
  const year = write({ year: 'numeric' });
  const month = write({ month: 'short', year: 'numeric' });
  const day = write({ month: 'short', day: 'numeric' });
  const date = write({ dateStyle: 'medium' });
  const time = write({ timeStyle: 'short' });
  return (milliseconds) => {
    const at = new Date(milliseconds);
    const [monthIndex, dayOfMonth, timeOfDay] = isUtc
      ? [at.getUTCMonth(), at.getUTCDate(), milliseconds % dayMs]
      : [at.getMonth(), at.getDate(), at.getHours() + at.getMinutes() + at.getSeconds()];
    if (timeOfDay !== 0) return `${time.format(at)}\n${date.format(at)}`;
    if (dayOfMonth !== 1) return `${day.format(at)}\n${year.format(at)}`;
    return (monthIndex === 0 ? year : month).format(at);
  };
}
