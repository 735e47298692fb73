import type { Condition, Filter } from '#shared/query-builder/structure.ts';
import { labelOfOperator } from './condition-kinds.ts';
import { periodInWords } from './periods.ts';

/** Returns a filter as a sentence without its end: `region is north or south`. */
export function filterInWords(filter: Filter): string {
  if ('formula' in filter) return filter.formula.trim() === '' ? 'Formula' : filter.formula;
  if ('any' in filter) return either.format(filter.any.map((all) => both.format(all.map(filterInWords))));
  const { table, name } = filter.column;
  return `${table === undefined ? name : `${table} ${name}`} ${conditionInWords(filter)}`;
}

const both = new Intl.ListFormat('en', { type: 'conjunction' });
const either = new Intl.ListFormat('en', { type: 'disjunction' });

function conditionInWords(condition: Condition): string {
  const words = labelOfOperator(condition.operator);
  switch (condition.operator) {
    case 'is':
    case 'is_not': {
      const values = condition.values.map((value) =>
        typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value),
      );
      const shown = values.length > 4 ? [...values.slice(0, 3), `${values.length - 3} more`] : values;
      if (values.length === 0) return `${words} …`;
      return `${condition.operator === 'is' ? 'is' : 'is not'} ${either.format(shown)}`;
    }
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with':
      return `${words} ${condition.text === '' ? '…' : `“${condition.text}”`}`;
    case 'between': {
      const { from, to, isEndExcluded = false } = condition;
      if (from === undefined && to === undefined) return 'is …';
      if (to === undefined) return `is from ${from}`;
      const range = from === undefined ? `is up to ${to}` : `is from ${from} to ${to}`;
      return isEndExcluded ? `${range}, without ${to}` : range;
    }
    case 'relative':
      return `is ${periodInWords(condition)}`;
    case 'in_group':
      return condition.value === undefined ? 'is in the empty group' : `is in the group ${condition.value}`;
    case 'is_empty':
    case 'is_not_empty':
      return words;
  }
}
