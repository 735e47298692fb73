/** Why a command can't do its work: a message for the person, printed without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** A command failed on the way: its cause says why, and its message what was done before and what was not. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';
}

/** Returns the code of an error of Node.js, such as `ENOENT`; undefined if it has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
