import { isTemporal } from '#shared/columns.ts';
import type { AvailableColumn } from '../available.ts';

const maxGroups = 4;
/** Each row has another value of such a column. */
const identifies = /(^|[_ ])(id|key|uuid|code|number|email|phone|url|name|title|description|comment)s?$/i;

/** Returns the columns by which people most likely count rows: a time, then categories. */
export function commonGroups(columns: readonly AvailableColumn[]): AvailableColumn[] {
  const shown = columns.filter(({ isHidden }) => isHidden !== true);
  const [time] = shown.filter(({ type }) => isTemporal(type));
  const texts = shown.filter(({ type }) => type === 'text' || type === 'boolean');
  const categories = texts.filter(({ label }) => !identifies.test(label));
  const chosen = categories.length > 0 ? categories : texts;
  return [...(time === undefined ? [] : [time]), ...chosen].slice(0, maxGroups);
}
