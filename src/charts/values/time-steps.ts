import { dayMs } from '#shared/dates/days.ts';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { dateFormat } from '#shared/region/intl.ts';
import { createFormatter, type Formatter } from './formats.ts';
import { toMilliseconds } from './result-values.ts';

/**
 * Returns a function that formats the dates and times of a column only as precisely as they differ: as months if all are the
 * first of a month, or as dates if all are at midnight. Instants, whose day depends on the reader's zone, are written completely.
 */
export function createStepFormatter(column: Pick<Column, 'type'>, values: Iterable<unknown>): Formatter {
  const whole = createFormatter(column);
  if (column.type !== 'date' && column.type !== 'datetime') return whole;
  const times = [...values].flatMap((value) => toMilliseconds(value) ?? []);
  if (times.length === 0 || times.some((time) => time % dayMs !== 0)) return whole;
  const isMonthly = new Set(times).size > 1 && times.every((time) => new Date(time).getUTCDate() === 1);
  if (!isMonthly) return createFormatter(column, { kind: 'date' });
  const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (value) => {
    const time = toMilliseconds(value);
    return time === undefined ? whole(value) : month.format(time);
  };
}
