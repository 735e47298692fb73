import type { FilterKind } from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';

export const kindLabels: Readonly<Record<FilterKind, string>> = {
  date_range: t('Range of dates'),
  date: t('Date'),
  list: t('List, several values'),
  select: t('List, one value'),
  number_range: t('Range of numbers'),
  text: t('Text'),
  boolean: t('Yes or no'),
};
