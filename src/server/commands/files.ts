import { StartError } from '../base/errors.ts';

/** The argument that stands for standard input and output instead of a file or a directory. */
export const standardStream = '-';

/** Reports errors of the file system without a stack trace. */
export function withoutStackTrace<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
