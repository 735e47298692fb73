import { parseTime, timestamp } from './clock.ts';
import { AtriumError } from './errors.ts';

/**
 * Returns a time of a query in the form that times are stored in and compared by. Throws `invalid_parameters` for one that
 * doesn't exist, such as the 30th of February.
 */
export function requireTimestamp(name: string, text: string): string {
  const timeMs = parseTime(text);
  if (timeMs !== undefined) return timestamp(timeMs);
  const fault = { pointer: `/${name}`, code: 'time', message: 'must be an RFC 3339 date or time' };
  throw new AtriumError('invalid_parameters', `There is no such time: ${name}.`, { faults: [fault] });
}
