import { t } from '#shared/language/messages.ts';
import type { Condition, Filter } from '#shared/query-builder/structure.ts';
import { listFormat } from '#shared/region/intl.ts';
import { labelOfOperator } from './condition-kinds.ts';
import { periodInWords } from './periods.ts';

/** Returns a filter as a sentence without its end: `region is north or south`. */
export function filterInWords(filter: Filter): string {
  if ('formula' in filter) return filter.formula.trim() === '' ? t('Formula') : filter.formula;
  if ('any' in filter) return either(filter.any.map((all) => both(all.map(filterInWords))));
  const { table, name } = filter.column;
  return `${table === undefined ? name : `${table} ${name}`} ${conditionInWords(filter)}`;
}

const both = (texts: readonly string[]): string => listFormat({ type: 'conjunction' }).format(texts);
const either = (texts: readonly string[]): string => listFormat({ type: 'disjunction' }).format(texts);

function conditionInWords(condition: Condition): string {
  const words = labelOfOperator(condition.operator);
  switch (condition.operator) {
    case 'is':
    case 'is_not': {
      const values = condition.values.map((value) =>
        typeof value === 'boolean' ? (value ? t('yes') : t('no')) : String(value),
      );
      const shown =
        values.length > 4 ? [...values.slice(0, 3), t('{count} more', { count: values.length - 3 })] : values;
      if (values.length === 0) return `${words} …`;
      return condition.operator === 'is'
        ? t('is {values}', { values: either(shown) })
        : t('is not {values}', { values: either(shown) });
    }
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with':
      return `${words} ${condition.text === '' ? '…' : t('“{name}”', { name: condition.text })}`;
    case 'between': {
      const { from, to, isEndExcluded = false } = condition;
      if (from === undefined) {
        if (to === undefined) return t('is …');
        return isEndExcluded ? t('is up to {to}, without {to}', { to }) : t('is up to {to}', { to });
      }
      if (to === undefined) return t('is from {from}', { from });
      return isEndExcluded
        ? t('is from {from} to {to}, without {to}', { from, to })
        : t('is from {from} to {to}', { from, to });
    }
    case 'relative':
      return t('is {values}', { values: periodInWords(condition) });
    case 'in_group':
      return condition.value === undefined
        ? t('is in the empty group')
        : t('is in the group {condition}', { condition: String(condition.value) });
    case 'is_empty':
    case 'is_not_empty':
      return words;
  }
}
