import type { FilterKind } from '#shared/dashboard-filters/definitions.ts';

export const kindLabels: Readonly<Record<FilterKind, string>> = {
  date_range: 'Range of dates',
  date: 'Date',
  list: 'List, several values',
  select: 'List, one value',
  number_range: 'Range of numbers',
  text: 'Text',
  boolean: 'Yes or no',
};
