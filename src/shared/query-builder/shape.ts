import type { ReportFault } from './faults.ts';
import type { Condition, Measure, QueryStructure } from './structure.ts';

/** The members that each operator needs; all others are optional. */
const ofOperator: Readonly<Record<Condition['operator'], readonly string[]>> = {
  is: ['values'],
  is_not: ['values'],
  contains: ['text'],
  does_not_contain: ['text'],
  starts_with: ['text'],
  ends_with: ['text'],
  between: [],
  relative: ['direction', 'count', 'unit'],
  in_group: [],
  is_empty: [],
  is_not_empty: [],
};

/** The members that each aggregate needs. */
const ofAggregate: Readonly<Record<Measure['aggregate'], readonly string[]>> = {
  count: [],
  count_distinct: ['column'],
  sum: ['column'],
  average: ['column'],
  median: ['column'],
  min: ['column'],
  max: ['column'],
  percentile: ['column', 'percent'],
  formula: ['formula'],
};

/** Reports the members that filters and measures lack. JSON of the API may lack them, although the type of a structure doesn't. */
export function checkShape(structure: QueryStructure, report: ReportFault): void {
  const { filters = [], resultFilters = [], measures = [] } = structure;
  for (const [pointer, list] of [
    ['/filters', filters],
    ['/resultFilters', resultFilters],
  ] as const) {
    for (const [index, filter] of list.entries()) {
      const at = `${pointer}/${index}`;
      if ('any' in filter)
        for (const [number, alternative] of filter.any.entries())
          for (const [place, one] of alternative.entries()) {
            const pointer = `${at}/any/${number}/${place}`;
            if ('any' in one) report(`${pointer}/any`, 'Alternatives can’t be within others.');
            else checkFilter(one, pointer, report);
          }
      else checkFilter(filter, at, report);
    }
  }
  for (const [index, measure] of measures.entries())
    requireMembers(measure, ofAggregate[measure.aggregate], `/measures/${index}`, report);
}

function checkFilter(filter: object, pointer: string, report: ReportFault): void {
  if ('formula' in filter) return;
  requireMembers(filter, ['column', 'operator'], pointer, report);
  // Sound because the schema allows no other operator.
  if ('operator' in filter)
    requireMembers(filter, ofOperator[filter.operator as Condition['operator']], pointer, report);
}

function requireMembers(value: object, names: readonly string[], pointer: string, report: ReportFault): void {
  for (const name of names) if (!(name in value)) report(`${pointer}/${name}`, 'This is missing.');
}
