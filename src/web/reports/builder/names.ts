import type { QueryStructure, Granularity, Group, Measure } from '#shared/query-builder/structure.ts';

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
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  hour_of_day: 'Hour of day',
  day_of_week: 'Day of week',
  month_of_year: 'Month of year',
};

export const nameOfGranularity = (granularity: Granularity): string => granularityNames[granularity];

/** Returns the name of a group in the result, unless people choose another. */
export const defaultGroupName = ({ column, granularity }: Group): string =>
  granularity === undefined ? column.name : granularityNames[granularity];

const aggregateNames = {
  sum: 'Total',
  average: 'Average',
  median: 'Median',
  min: 'Lowest',
  max: 'Highest',
  count_distinct: 'Distinct',
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
      return `Share of ${lowerFirst(name)}`;
    case 'change':
    case 'percent_change':
      return `Change in ${lowerFirst(name)}`;
    case 'running_total':
      return `Running ${lowerFirst(name)}`;
    default:
      return name;
  }
}

function nameOfValue(measure: ComputedMeasure, table: string, label?: string): string {
  switch (measure.aggregate) {
    case 'count':
      return /s$/i.test(table) ? capitalized(inWords(table)) : 'Rows';
    case 'formula':
      return 'Formula';
    case 'percentile':
      return `Percentile ${measure.percent} of ${inWords(label ?? measure.column.name)}`;
    default:
      return `${aggregateNames[measure.aggregate]} ${inWords(label ?? measure.column.name)}`;
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns a name for a report of a query: `Total amount by region and month`. */
export function suggestedName(structure: QueryStructure): string {
  const { table, groups = [], measures = [] } = structure;
  const shown = measures.map(({ name }) => name);
  const by = groups.map((group, index) => {
    const name = inWords(group.name ?? group.column.name);
    return index === 0 && shown.length === 0 ? name : lowerFirst(name);
  });
  const what = shown.length === 0 && by.length === 0 ? capitalized(inWords(table.name)) : list(shown);
  const name = by.length === 0 ? what : what === '' ? capitalized(list(by)) : `${what} by ${list(by)}`;
  return name.slice(0, 200);
}

const words = new Intl.ListFormat('en', { type: 'conjunction' });
const list = (texts: readonly string[]): string => words.format(texts);
