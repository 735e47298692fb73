import { isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import { isDay } from '../../dates/days.ts';
import { isDatetime, isInstant } from '../../dates/times.ts';
import type { ReportFault } from '../faults.ts';
import {
  emptyOperators,
  isTimeOfDay,
  textOperators,
  type Condition,
  type FilterValue,
  type Granularity,
} from '../structure.ts';
import { reportGroupingFaults } from '../groups/grouping-faults.ts';

/** The operators of the conditions on columns of a type, in the order in which people choose them. */
export function operatorsOf(type: ColumnType): readonly Condition['operator'][] {
  if (type === 'text') return ['is', 'is_not', ...textOperators, ...emptyOperators, 'in_group'];
  if (isNumeric(type) || type === 'time') return ['is', 'is_not', 'between', ...emptyOperators, 'in_group'];
  if (isTemporal(type)) return ['is', 'is_not', 'between', 'relative', ...emptyOperators, 'in_group'];
  if (type === 'boolean' || type === 'uuid') return ['is', 'is_not', ...emptyOperators, 'in_group'];
  return emptyOperators;
}

/** Reports what is wrong with a condition on a column of a type, and returns whether it is valid. */
export function reportConditionFaults(
  report: ReportFault,
  pointer: string,
  type: ColumnType,
  condition: Condition,
  isOptional: boolean,
): boolean {
  let isValid = true;
  function fault(place: string, message: string): void {
    isValid = false;
    report(`${pointer}${place}`, message);
  }
  function checkValue(place: string, value: FilterValue): void {
    const message = valueFault(type, value);
    if (message !== undefined) fault(place, message);
  }
  const { operator } = condition;
  if (!operatorsOf(type).includes(operator)) {
    fault('/operator', `The filter “${operator}” doesn’t fit a column of the type ${type}.`);
    return false;
  }
  switch (condition.operator) {
    case 'is':
    case 'is_not':
      if (condition.values.length === 0 && !isOptional) fault('/values', 'Choose at least one value.');
      if (condition.values.length > 1_000) fault('/values', 'Choose at most 1,000 values.');
      else for (const [index, value] of condition.values.entries()) checkValue(`/values/${index}`, value);
      break;
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with':
      checkValue('/text', condition.text);
      break;
    case 'between': {
      const { from, to } = condition;
      if (from === undefined && to === undefined) fault('', 'Enter the start or the end of the range.');
      if (from !== undefined) checkValue('/from', from);
      if (to !== undefined) checkValue('/to', to);
      break;
    }
    case 'relative': {
      const { count, unit, direction } = condition;
      if (!Number.isInteger(count) || count < 1 || count > 10_000)
        fault('/count', 'Enter a whole number from 1 to 10,000.');
      else if (direction === 'this' && count !== 1) fault('/count', 'With “this”, the count is 1.');
      if (type === 'date' && isTimeOfDay(unit))
        fault('/unit', 'A date has no time: choose days or a longer unit.');
      break;
    }
    case 'in_group': {
      const { value, granularity, binWidth } = condition;
      if (!reportGroupingFaults(report, pointer, type, condition)) isValid = false;
      else if (value !== undefined) {
        const isNumber = binWidth !== undefined || granularity?.includes('_of_') === true;
        const message = valueFault(isNumber ? 'double' : groupType(type, granularity), value);
        if (message !== undefined) fault('/value', message);
      }
      break;
    }
    case 'is_empty':
    case 'is_not_empty':
      break;
  }
  return isValid;
}

/** Groups of hours and minutes are datetimes, those of days and longer units are dates. */
const groupType = (type: ColumnType, granularity: Granularity | undefined): ColumnType => {
  if (granularity === undefined) return type;
  return isTimeOfDay(granularity) ? 'datetime' : 'date';
};

const time = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const maxTextLength = 10_000;

/** Returns what is wrong with a value that a column of a type is compared with, or undefined if it is valid. */
function valueFault(type: ColumnType, value: FilterValue): string | undefined {
  if (isNumeric(type))
    return typeof value === 'number' && Number.isFinite(value) ? undefined : 'The value must be a number.';
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'The value must be true or false.';
  if (typeof value !== 'string') return 'The value must be text.';
  if (value.length > maxTextLength) return 'The value is too long: at most 10,000 characters.';
  switch (type) {
    case 'date':
      return isDay(value) ? undefined : 'The value must be a date such as 2026-01-31.';
    case 'datetime':
    case 'instant':
      if (isDay(value) || isDatetime(value) || (type === 'instant' && isInstant(value))) return undefined;
      return isInstant(value)
        ? 'The column has no time zone, so the value must not have one.'
        : 'The value must be a date, or a date and time such as 2026-01-31T12:00:00.';
    case 'time':
      return time.test(value) ? undefined : 'The value must be a time such as 13:30.';
    case 'uuid':
      return uuid.test(value) ? undefined : 'The value must be a UUID.';
    default:
      return value.includes('\0') ? 'The value must not contain the character U+0000.' : undefined;
  }
}
