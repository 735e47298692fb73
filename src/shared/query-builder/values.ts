const day = /^\d{4}-\d\d-\d\d$/;
const datetime = /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const zoneAtEnd = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Returns whether text is a date of the calendar such as 2026-01-31. */
export function isDate(text: string): boolean {
  if (!day.test(text) || text.startsWith('0000')) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` turns February 31 into another day.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Returns whether text is a date and time without a time zone, such as 2026-01-31T12:00:00. */
export const isDatetime = (text: string): boolean => isDate(datetime.exec(text)?.[1] ?? '');

/** Returns whether text is a date and time with a time zone, such as 2026-01-31T12:00:00Z. */
export const isInstant = (text: string): boolean => hasZone(text) && isDatetime(text.replace(zoneAtEnd, ''));

export const hasZone = (text: string): boolean => zoneAtEnd.test(text);
