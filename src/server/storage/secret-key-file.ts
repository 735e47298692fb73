import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../base/errors.ts';
import { newToken } from '../base/tokens.ts';

/**
 * Returns the root key that is kept in the data directory, made at the first call: 256 random bits in base64url, in
 * a file that its owner alone can read. Throws a `StartError` when there is none and none can be written.
 */
export function readOrCreateSecretKey(dataDirectory: string): string {
  const file = join(dataDirectory, 'secret-key');
  if (!existsSync(file)) createKeyFile(dataDirectory, file);
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length >= 32) return key;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new StartError(`${file} holds no key; restore it from a backup, or set ATRIUM_SECRET_KEY.`);
}

/** The file appears whole or not at all, and of two processes that start at once one makes it and both read it. */
function createKeyFile(dataDirectory: string, file: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(draft, newToken(), { flag: 'wx', mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } finally {
      rmSync(draft);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw unreadable(file, error);
  }
}

const unreadable = (file: string, cause: unknown): StartError =>
  new StartError(
    `ATRIUM_DATA_DIR: ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
