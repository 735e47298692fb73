import { AtriumError, codeOf } from '../../base/errors.ts';

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SQLSTATE 40001 serialization failure, 40P01 deadlock: nothing was committed, and a retry may succeed. */
export const isWorthRepeating = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isMissingReference(error);

/** SQLSTATE 23503: a row that was just read may have been removed since, which a retry notices; or it is a bug. */
export const isMissingReference = (error: unknown): boolean => codeOf(error) === '23503';

/** SQLSTATE classes 0A and 42: a feature, a command or a function that the engine does not have. */
export const isUnknownToEngine = (error: unknown): boolean => /^(0A|42)/.test(codeOf(error));

/** Whether the driver gave up waiting for the server: the connection can no longer be used. */
export const isStuck = (error: unknown): boolean => reasonOf(unwrap(error)) === 'Query read timeout';

/** SQLSTATE 42501: the role lacks a right. */
export const isNotPermitted = (error: unknown): boolean => codeOf(unwrap(error)) === '42501';

/** SQLSTATE 25006: the session or the whole server, such as a standby, accepts no writes. */
export const isReadOnly = (error: unknown): boolean => codeOf(unwrap(error)) === '25006';

/** Returns the error of the driver, or of a search for a host, that an error was made from. */
export const unwrap = (error: unknown): unknown => (error instanceof AtriumError ? error.cause : error);

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'];
const driverMessages =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|^Query read timeout$/;

/** Whether a server, rather than a statement, is the reason for an error: another server may work. */
export const isOfHost = (error: unknown): boolean =>
  isReadOnly(error) ||
  /^(08|57P)/.test(codeOf(unwrap(error))) ||
  networkCodes.includes(codeOf(unwrap(error))) ||
  /^Connection terminated|is not queryable$|^Query read timeout$|^timeout expired$/.test(
    reasonOf(unwrap(error)),
  );

/** The messages for errors that may be over soon, by SQLSTATE or its class. */
const unavailableDetails: readonly (readonly [codes: RegExp, detail: string])[] = [
  [/^55P03$/, 'Another change is using the same data. Try again.'],
  [/^(57014|25P03)$/, 'The database took too long. Try again.'],
  [/^25006$/, 'The database is read-only at the moment.'],
  [/^42501$/, 'The role of the database lacks rights.'],
  [/^53100$/, 'The disk of the database is full.'],
  // Connection, resources, shutdown.
  [/^(08|53|57P)/, 'The database does not respond.'],
];

/** Returns `unavailable` for an error that may be over soon, and any other error unchanged. */
export function toAtriumError(error: unknown): unknown {
  const code = codeOf(error);
  const detail =
    unavailableDetails.find(([codes]) => codes.test(code))?.[1] ??
    (networkCodes.includes(code) || driverMessages.test(reasonOf(error))
      ? 'The database does not respond.'
      : undefined);
  return detail === undefined ? error : new AtriumError('unavailable', detail, { cause: error });
}
