/** The time zone of organizations that haven't chosen one. */
export const defaultTimeZone = 'UTC';

/** A name of the IANA database, such as `Europe/Berlin`; not an offset, such as `+02:00`, which some engines read the other way. */
const namePattern = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Returns whether a text is the name of a time zone, or an alias of one, such as `Asia/Calcutta`. */
export function isTimeZone(text: string): boolean {
  if (!namePattern.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the names of all time zones, sorted, with UTC first. */
export const timeZones = (): readonly string[] => [
  defaultTimeZone,
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== defaultTimeZone),
];
