import { isNumeric, isTemporal, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { operatorsOf } from '#shared/query-builder/filters/condition-fault.ts';
import type { Condition } from '#shared/query-builder/structure.ts';

/** How the values of a column are filtered. */
type ConditionKind = 'number' | 'date' | 'boolean' | 'other';

export function conditionKindOf(type: ColumnType): ConditionKind {
  if (isNumeric(type)) return 'number';
  if (isTemporal(type)) return 'date';
  return type === 'boolean' ? 'boolean' : 'other';
}

type Operator = Condition['operator'];

const operatorLabels: Readonly<Record<Operator, string>> = {
  is: t('is any of'),
  is_not: t('is none of'),
  contains: t('contains'),
  does_not_contain: t('doesn’t contain'),
  starts_with: t('starts with'),
  ends_with: t('ends with'),
  between: t('is between'),
  relative: t('is in'),
  in_group: t('is in the group'),
  is_empty: t('is empty'),
  is_not_empty: t('is not empty'),
};

export const labelOfOperator = (operator: Operator): string => operatorLabels[operator];

/** Returns the operator that a new filter has. */
export function firstOperator(type: ColumnType): Operator {
  const operators = operatorsOf(type);
  const isOfRange = isNumeric(type) || isTemporal(type) || type === 'time';
  return isOfRange ? 'between' : (operators[0] ?? 'is_not_empty');
}

/** Returns a condition with another operator, with the text or the values of the one before if they fit. */
export function withOperator(before: Condition | undefined, operator: Operator): Condition {
  switch (operator) {
    case 'is':
    case 'is_not':
      return { operator, values: before && 'values' in before ? before.values : [] };
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with':
      return { operator, text: before && 'text' in before ? before.text : '' };
    case 'between':
    case 'is_empty':
    case 'is_not_empty':
      return { operator };
    case 'relative':
      return { operator, direction: 'last', count: 30, unit: 'day' };
    case 'in_group':
      return before?.operator === 'in_group' ? before : { operator };
  }
}
