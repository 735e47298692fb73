import { statfs } from 'node:fs/promises';
import { AtriumError, codeOf, StartError } from '../base/errors.ts';

/** What is written: `backup` into the directory of a backup, `restore` into a data directory. */
export type Written = 'backup' | 'restore';

const reservedBytes = 64 * 1024 ** 2;

/** Throws a `StartError` before the disk of a directory is full, which a server may share. */
export async function requireSpace(directory: string, bytes: number, written: Written): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize > bytes + reservedBytes) return;
  const [needed, free] = [bytes + reservedBytes, bavail * bsize].map((size) => Math.ceil(size / 1024 ** 2));
  throw new StartError(`The ${written} needs ${needed} MiB in ${directory}, and only ${free} MiB are free.`);
}

/** Returns the error to show for a failure to write into a directory. */
export function describeFailure(error: unknown, directory: string, written: Written): Error {
  if (error instanceof StartError || error instanceof AtriumError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) || /disk is full/.test(reason);
  const what = written === 'backup' ? 'The backup could not be written' : 'The backup could not be restored';
  return new StartError(
    isFull
      ? `${what}, because the disk of ${directory} is full. Free up space, or choose another disk.`
      : `${what} to ${directory}: ${reason}`,
    { cause: error },
  );
}
