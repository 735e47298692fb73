/** Why an address that a user entered was refused; `message` is for that user. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly code: 'address_refused' | 'unreachable';
  constructor(code: 'address_refused' | 'unreachable', message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Returns the `OutgoingError` that an error is or was caused by, or undefined. */
export function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error;
  return error instanceof Error && error.cause !== undefined ? findOutgoingError(error.cause) : undefined;
}
