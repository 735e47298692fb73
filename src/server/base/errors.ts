import { problems, type Fault, type Problem, type ProblemCode } from '#contract/problem.ts';

/** What every rule throws: a code of the contract, words for the person who asked, and every fault found. */
export class AtriumError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly Fault[] | undefined;
  /** Members of the problem document beside those that every one has. */
  readonly extension: object | undefined;
  /** Whether the write may have been stored: then no file that its rows would refer to may be removed. */
  readonly outcomeUnknown: boolean;

  /** `detail` is shown to the client: it never holds a secret, nor tells what another organization has. */
  constructor(
    code: ProblemCode,
    detail?: string,
    options: {
      faults?: readonly Fault[];
      extension?: object;
      outcomeUnknown?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(detail ?? problems[code].title, { cause: options.cause });
    this.name = 'AtriumError';
    this.code = code;
    this.faults = options.faults;
    this.extension = options.extension;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** As the contract says. */
const maxListedFaults = 100;

/** Returns the problem document (RFC 9457) of an error, which knows of no request. */
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

/** The same answer for what is not there and for what the actor may not know of. */
export const notFound = (): AtriumError =>
  new AtriumError('not_found', 'There is nothing here, or nothing that you may see.');

/** An invalid body of which one member is at fault. */
export const invalidBody = (fault: Fault): AtriumError =>
  new AtriumError('invalid_body', fault.message, { faults: [fault] });

/** An invalid body with each of its faults. */
export const invalidFaults = (faults: readonly Fault[]): AtriumError =>
  new AtriumError('invalid_body', undefined, { faults });

/** Returns the error for a commit that was sent but never confirmed: the transaction may or may not be stored. */
export const outcomeUnknown = (cause: unknown): AtriumError =>
  new AtriumError(
    'unavailable',
    'The database did not confirm the change. It may have been stored: check before you try again.',
    { outcomeUnknown: true, cause },
  );

/** Whether a write that failed with `error` may have been stored nonetheless. */
export const mayBeStored = (error: unknown): boolean => error instanceof AtriumError && error.outcomeUnknown;

/** Why the server does not start, or a command does not run, in words for the operator: printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
