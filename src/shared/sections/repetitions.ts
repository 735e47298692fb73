import { isRange } from '../dashboard-filters/bindings.ts';
import { listOf, type DashboardFilter } from '../dashboard-filters/filter-list.ts';
import { valueOf, type GivenValues } from '../dashboard-filters/values.ts';
import { t } from '../language/messages.ts';

/** Sections are repeated at most this many times: each repetition runs the reports of its widgets again. */
export const maxRepetitions = 20;

/** Why a section isn't repeated: its filter is for ranges; it has neither values nor a list of them; there is no such filter. */
export type NotRepeated = 'range' | 'unlisted' | 'unknown';

/** Whether the values of a filter are yes and no. */
export const isBoolean = (filter: DashboardFilter | undefined): boolean =>
  filter?.definition?.kind === 'boolean' || filter?.type === 'boolean';

/**
 * Returns the values that a section is repeated for if they are known without a list: those that are chosen in its filter, or yes
 * and no. Undefined if they have to be listed.
 */
export function knownRepetitions(
  filter: DashboardFilter | undefined,
  name: string,
  values: GivenValues,
): readonly string[] | 'range' | undefined {
  const kind = filter?.definition?.kind;
  const isDate = filter?.type === 'date' || filter?.type === 'datetime';
  if (isDate || (kind !== undefined && isRange(kind))) return 'range';
  const chosen = [...new Set(listOf(valueOf(values, name, filter?.definition)))].filter(
    (value) => value !== '',
  );
  if (chosen.length > 0) return chosen;
  return isBoolean(filter) ? ['true', 'false'] : undefined;
}

/** Returns how a value that a section is repeated for is written in its title. */
export const repetitionText = (value: string, isOfBoolean: boolean): string =>
  isOfBoolean && value === 'true' ? t('Yes') : isOfBoolean && value === 'false' ? t('No') : value;

/** Returns why a section is shown once. */
export function notRepeatedMessage(reason: NotRepeated, label: string): string {
  switch (reason) {
    case 'unlisted':
      return t('Choose values of “{label}” to see this section for each of them.', { label });
    case 'range':
      return t('“{label}” is a filter of dates or ranges, so this section is not repeated.', { label });
    case 'unknown':
      return t('There is no filter “{label}” here, so this section is not repeated.', { label });
  }
}

/** Returns a message about the values that a section isn't repeated for; undefined if it is for all, and there are some. */
export function repetitionsMessage(shownCount: number, count: number, label: string): string | undefined {
  if (count === 0) return t('“{label}” has no values.', { label });
  return shownCount < count
    ? t('Shown for {count} of {count2} values. Choose values of “{label}” to see others.', {
        count: shownCount,
        count2: count,
        label,
      })
    : undefined;
}
