import { problems, type Fault, type Problem, type ProblemCode } from '#contract/problem.ts';

/** The error that every rule throws: a code of the contract, a message for the person, and every fault. */
export class AtriumError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[] | undefined;
  /** Additional members of the problem document. */
  readonly extension: object | undefined;
  /** Header fields of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the write may have been stored: then no file that its rows would refer to may be removed. */
  readonly outcomeUnknown: boolean;

  /** `detail` is shown to the client: it never contains a secret, or reveals what another organization has. */
  constructor(
    code: ProblemCode,
    detail?: string,
    options: {
      faults?: readonly Fault[];
      extension?: object;
      headers?: Readonly<Record<string, string>>;
      outcomeUnknown?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(detail ?? problems[code].title, { cause: options.cause });
    this.name = 'AtriumError';
    this.code = code;
    this.faults = options.faults;
    this.extension = options.extension;
    this.headers = options.headers ?? {};
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** The maximum in the contract. */
const maxListedFaults = 100;

/** Returns the problem document (RFC 9457) of an error, without the request's id. */
export function toProblem({ code, message, faults, extension }: AtriumError): Omit<Problem, 'requestId'> {
  const { status, title } = problems[code];
  const errors = faults && { errors: faults.slice(0, maxListedFaults) };
  return {
    type: `urn:atrium:problem:${code}`,
    title,
    status,
    detail: message,
    code,
    ...extension,
    ...errors,
  };
}

/** Returns the same error for a record that does not exist and for one that the actor may not know about. */
export const notFound = (): AtriumError =>
  new AtriumError('not_found', 'It does not exist, or you don’t have access to it.');

/** Returns the error for a body with one invalid member. */
export const invalidBody = (fault: Fault): AtriumError =>
  new AtriumError('invalid_body', fault.message, { faults: [fault] });

/** Returns the error for an invalid body with all of its faults. */
export const invalidFaults = (faults: readonly Fault[]): AtriumError =>
  new AtriumError('invalid_body', undefined, { faults });

/** Returns the error for a commit that was sent but never confirmed: the transaction may or may not be stored. */
export const outcomeUnknown = (cause: unknown): AtriumError =>
  new AtriumError(
    'unavailable',
    'The database did not confirm the change. It may have been saved: check before you try again.',
    { outcomeUnknown: true, cause },
  );

/** Whether a write that failed with `error` may still have been stored. */
export const mayBeStored = (error: unknown): boolean => error instanceof AtriumError && error.outcomeUnknown;

/** Returns the code of an error of Node.js or of a database, such as `ENOENT` or an SQLSTATE; an empty string if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Why the server does not start or a command does not run: a message for the operator, printed without a stack trace.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
