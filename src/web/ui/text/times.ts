import { t } from '#shared/language/messages.ts';
import { dateFormat, relativeTimeFormat } from '#shared/region/intl.ts';

const steps = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;

/** Returns a time relative to now, such as `2 minutes ago`, or its date if it is more than a week away. */
export function relativeTime(timestamp: string, now = Date.now()): string {
  const seconds = (Date.parse(timestamp) - now) / 1000;
  const distance = Math.abs(seconds);
  if (distance < 45) return t('just now');
  if (distance > 7 * 86_400) return dateFormat({ dateStyle: 'medium' }).format(new Date(timestamp));
  const [unit, size] = steps.findLast(([, size]) => distance >= size * 0.9) ?? steps[0];
  return relativeTimeFormat({ numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

/** Returns a time to the second, in the reader's time zone. */
export const exactTime = (timestamp: string): string =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(timestamp));
