import { t } from '../language/messages.ts';
import { nameOfRange } from '../dates/range-names.ts';
import { absoluteRange, resolveRange, type DayRange } from '../dates/ranges.ts';
import type { Calendar } from '../dates/days.ts';
import { dateFormat } from '../region/intl.ts';
import { isEmpty, parseNumberRange, valueOf, type GivenValues } from './values.ts';
import { listOf, type DashboardFilter } from './filter-list.ts';

const dayText = (day: string): string =>
  dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

/** Returns the days of a range in the reader's language. */
function daysText({ from, to }: DayRange): string {
  if (from === undefined) return to === undefined ? t('All time') : t('Until {day}', { day: dayText(to) });
  if (to === undefined) return t('From {day}', { day: dayText(from) });
  return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`;
}

/** Returns the value of a range of dates in words, such as “Last 30 days”; “Any” if nothing is selected. */
export function rangeText(text: string): string {
  if (text === '') return t('Any');
  const range = absoluteRange(text);
  return nameOfRange(text) ?? (range === undefined ? text : daysText(range));
}

/** Returns the days of a relative range now; undefined if the range names its days itself. */
export function currentDays(text: string, calendar: Omit<Calendar, 'now'>): string | undefined {
  if (absoluteRange(text) !== undefined || text === 'all-time') return undefined;
  const range = resolveRange(text, { ...calendar, now: Date.now() });
  return range && daysText(range);
}

/** Returns the value of a filter in words. */
export function filterText(filter: DashboardFilter, values: GivenValues): string {
  const given = valueOf(values, filter.name, filter.definition) ?? presetText(filter);
  if (isEmpty(given)) return t('Any');
  const texts = listOf(given);
  const text = texts.at(-1) ?? '';
  if (filter.definition?.kind === 'date_range') return rangeText(text);
  if (filter.definition?.kind === 'number_range') {
    const { from, to } = parseNumberRange(text) ?? { from: text, to: text };
    return from === ''
      ? t('at most {to}', { to })
      : to === ''
        ? t('at least {from}', { from })
        : from === to
          ? from
          : t('{from} to {to}', { from, to });
  }
  if (filter.type === 'boolean') return text === 'true' ? t('Yes') : t('No');
  return texts.length <= 3
    ? texts.join(', ')
    : t('{texts} and {count} more', { texts: texts.slice(0, 2).join(', '), count: texts.length - 2 });
}

/** Returns the default of a report's parameter as in a URL; undefined if it has none. */
function presetText({
  definition,
  default: preset,
}: DashboardFilter): string | readonly string[] | undefined {
  if (definition !== undefined || preset === undefined || preset === null) return undefined;
  return typeof preset === 'object' ? preset : String(preset);
}
