import { isDay } from '#shared/dates/days.ts';
import { hasZone, isDatetime, isInstant } from '#shared/dates/times.ts';
import type { BoundValue } from './opened-source.ts';
import type { ParameterTypes } from './source-description.ts';

/** A parameter and its value, which is undefined if none was given, and null if none is chosen. */
export interface QueryParameter {
  readonly name: string;
  readonly type: BoundValue['type'];
  readonly value?: BoundValue['value'] | undefined;
}

/** Returns what is wrong with a value, or undefined if it is valid. */
export function valueFault({ type, value }: QueryParameter): string | undefined {
  if (value === undefined) return 'A value is missing.';
  if (value === null) return undefined;
  switch (type) {
    case 'text':
      return isText(value) ? undefined : 'The value must be text.';
    case 'number':
      return Number.isFinite(value) ? undefined : 'The value must be a number.';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'The value must be true or false.';
    case 'date':
      return isText(value) && isDay(value) ? undefined : 'The value must be a date such as 2026-01-31.';
    case 'datetime':
      return isText(value) && (isDatetime(value) || isInstant(value))
        ? undefined
        : 'The value must be a date and time such as 2026-01-31T12:00:00 or 2026-01-31T12:00:00Z.';
    case 'list':
      return Array.isArray(value) && value.every(isText)
        ? undefined
        : 'The value must be a list of text values.';
  }
}

/** PostgreSQL can't store U+0000 in text. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

/**
 * Returns the cast that gives a bound parameter its type, which PostgreSQL would otherwise infer from the SQL around it. A
 * whole number is a bigint, since PostgreSQL can still use the index of an integer column for it.
 */
export function castOf(types: ParameterTypes, { type, value }: BoundValue): string {
  const isInstant = type === 'datetime' && typeof value === 'string' && hasZone(value);
  switch (type) {
    case 'text':
      return `::${types.text}`;
    case 'number':
      return `::${Number.isSafeInteger(value) ? types.whole : types.fractional(String(value))}`;
    case 'boolean':
      return '::boolean';
    case 'date':
      return '::date';
    case 'datetime':
      return isInstant ? '::timestamptz' : '::timestamp';
    case 'list':
      return `::${types.text}[]`;
  }
}
