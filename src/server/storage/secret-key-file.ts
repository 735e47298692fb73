import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, StartError } from '../base/errors.ts';
import { operatorCommand } from '../base/program.js';
import { newToken } from '../base/credentials/tokens.ts';
import { secretKeyFile } from './data-directory.ts';

/**
 * Returns the root key in the data directory, which the first call creates: 256 random bits in base64url, in a file
 * that only its owner can read. Throws a `StartError` if there is no key and it can't be written, or if there is no key
 * and the database has secrets that a new key could not decrypt.
 */
export function readOrCreateSecretKey(dataDirectory: string, sealedSecretCount: number): string {
  const file = secretKeyFile(dataDirectory);
  if (!existsSync(file)) {
    if (sealedSecretCount > 0) throw missingKey(file, sealedSecretCount);
    createKeyFile(dataDirectory, file);
  }
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length >= 32) return key;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new StartError(`${file} does not contain a key. Restore it from a backup, or set ATRIUM_SECRET_KEY.`);
}

/** Returns the root key in a directory, or undefined if that has none. */
export function readSecretKey(directory: string): string | undefined {
  const file = secretKeyFile(directory);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Creates the file atomically. If two processes start at the same time, one creates it and both read it. */
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
    if (codeOf(error) !== 'EEXIST') throw unreadable(file, error);
  }
}

const missingKey = (file: string, sealedSecretCount: number): StartError =>
  new StartError(
    `ATRIUM_SECRET_KEY, ATRIUM_DATA_DIR: ${file} is missing, and the database has ` +
      `${sealedSecretCount === 1 ? '1 secret that is' : `${sealedSecretCount} secrets that are`} encrypted with it.\n` +
      'Restore the file from a backup, or set ATRIUM_SECRET_KEY to the key. If the key is lost, set ' +
      `ATRIUM_SECRET_KEY to a new one and run \`${operatorCommand} secrets discard\`. ` +
      'People then have to enter those secrets again.',
  );

const unreadable = (file: string, cause: unknown): StartError =>
  new StartError(
    `ATRIUM_DATA_DIR: ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
