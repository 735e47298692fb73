import { currentLanguage } from '#shared/language/current.ts';
import { t } from '#shared/language/messages.ts';
import type { QueryStructure, Granularity, Group, Measure } from '#shared/query-builder/structure.ts';
import { listFormat } from '#shared/region/intl.ts';

/** Returns a name as words: `customer_id` becomes `customer id`. */
const inWords = (name: string): string => name.replaceAll('_', ' ').trim() || name;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a name that isn't taken: with a number at its end if necessary. */
export function uniqueName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  if (!used.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name} ${number}`;
    if (!used.has(numbered.toLowerCase())) return numbered;
  }
}

const granularityNames: Readonly<Record<Granularity, string>> = {
  minute: t('Minute'),
  hour: t('Hour'),
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
  quarter: t('Quarter'),
  year: t('Year'),
  hour_of_day: t('Hour of day'),
  day_of_week: t('Day of week'),
  month_of_year: t('Month of year'),
};

export const nameOfGranularity = (granularity: Granularity): string => granularityNames[granularity];

/** Returns the name of a group in the result, unless people choose another. */
export const defaultGroupName = ({ column, granularity }: Group): string =>
  granularity === undefined ? column.name : granularityNames[granularity];

const aggregateNames = {
  sum: (column: string) => t('Total {column}', { column }),
  average: (column: string) => t('Average {column}', { column }),
  median: (column: string) => t('Median {column}', { column }),
  min: (column: string) => t('Lowest {column}', { column }),
  max: (column: string) => t('Highest {column}', { column }),
  count_distinct: (column: string) => t('Distinct {column}', { column }),
} as const;

/** A measure without its name. */
export type ComputedMeasure = Measure extends infer M ? (M extends Measure ? Omit<M, 'name'> : never) : never;

/** Returns the name of a measure in the result, unless people choose another: `Total amount`, `Average price`, `Orders`. */
export function defaultMeasureName(
  measure: ComputedMeasure,
  { table }: Pick<QueryStructure, 'table'>,
  /** The display name of its column. */
  label?: string,
): string {
  const name = nameOfValue(measure, table.name, label);
  switch (measure.comparison) {
    case 'share_of_total':
      return t('Share of {measure}', { measure: lowerFirst(name) });
    case 'change':
    case 'percent_change':
      return t('Change in {measure}', { measure: lowerFirst(name) });
    case 'running_total':
      return t('Running {measure}', { measure: lowerFirst(name) });
    default:
      return name;
  }
}

function nameOfValue(measure: ComputedMeasure, table: string, label?: string): string {
  switch (measure.aggregate) {
    case 'count':
      return /s$/i.test(table) ? capitalized(inWords(table)) : t('Rows');
    case 'formula':
      return t('Formula');
    case 'percentile':
      return t('Percentile {percent} of {column}', {
        percent: measure.percent,
        column: inWords(label ?? measure.column.name),
      });
    default:
      return aggregateNames[measure.aggregate](inWords(label ?? measure.column.name));
  }
}

/** Returns a name for the middle of a sentence; other languages than English write nouns in lower case by themselves, or never. */
export const lowerFirst = (text: string): string =>
  currentLanguage() === 'en' ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Returns a name for a report of a query: `Total amount by region and month`. */
export function suggestedName(structure: QueryStructure): string {
  const { table, groups = [], measures = [] } = structure;
  const shown = measures.map(({ name }) => name);
  const by = groups.map((group, index) => {
    const name = inWords(group.name ?? group.column.name);
    return index === 0 && shown.length === 0 ? name : lowerFirst(name);
  });
  const what = shown.length === 0 && by.length === 0 ? capitalized(inWords(table.name)) : list(shown);
  const name =
    by.length === 0
      ? what
      : what === ''
        ? capitalized(list(by))
        : t('{measures} by {groups}', { measures: what, groups: list(by) });
  return name.slice(0, 200);
}

const list = (texts: readonly string[]): string => listFormat({ type: 'conjunction' }).format(texts);
