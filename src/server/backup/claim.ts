import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, StartError } from '../base/errors.ts';
import { incompleteFile } from './manifest.ts';

/** The directory contains something of others, which must stay. */
export class NotEmptyError extends StartError {
  constructor(directory: string) {
    super(`${directory} is not empty. Choose a new directory for the backup.`);
  }
}

export async function requireEmpty(directory: string, ownFile?: string): Promise<void> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  if (names.some((name) => join(directory, name) !== ownFile)) throw new NotEmptyError(directory);
}

/** Creates the file that marks the directory as in use. Of several backups that start at once, one succeeds. */
export async function claimDirectory(directory: string, instanceId: string): Promise<void> {
  const marker = incompleteFile(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(marker, instanceId, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? new NotEmptyError(directory) : error;
  });
  // Another backup may have ended since the directory was empty.
  await requireEmpty(directory, marker).catch(async (error: unknown) => {
    await rm(marker);
    throw error;
  });
}
