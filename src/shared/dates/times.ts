import { isDay } from './days.ts';

const datetime = /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const zoneAtEnd = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Returns whether text is a date and time without a time zone, such as 2026-01-31T12:00:00. */
export const isDatetime = (text: string): boolean => isDay(datetime.exec(text)?.[1] ?? '');

/** Returns whether text is a date and time with a time zone, such as 2026-01-31T12:00:00Z. */
export const isInstant = (text: string): boolean => hasZone(text) && isDatetime(text.replace(zoneAtEnd, ''));

/** Returns whether a date and time ends with a time zone. */
export const hasZone = (text: string): boolean => zoneAtEnd.test(text);
