import { constants, copyFile, link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/errors.ts';
import { readFacts, syncPath, type FileFacts } from '../storage/file-facts.ts';

/** Codes of file systems on which a file can't be linked, or not across their borders. */
const cannotLink = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Links a file that is never changed, or copies it if it is on another file system. Returns the facts of the target; those of a
 * link are `known`, if they are given, apart from its size.
 */
export async function linkOrCopy(
  path: string,
  target: string,
  known: Partial<FileFacts> = {},
): Promise<FileFacts> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await link(path, target);
    if (known.sha256 !== undefined) return { sizeBytes: (await stat(target)).size, sha256: known.sha256 };
  } catch (error) {
    if (!cannotLink.includes(codeOf(error))) throw error;
    await copyWhole(path, target);
  }
  return readFacts(target);
}

/** Copies a file and flushes the copy; leaves nothing if that fails. */
export async function copyWhole(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await syncPath(target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(target, { force: true });
    throw error;
  }
}
