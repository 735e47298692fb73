/** Why a command can't do its work: a message for the person, printed without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Returns the code of an error of Node.js, such as `ENOENT`; undefined if it has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
