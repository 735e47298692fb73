import { constants, open } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';

/** A token that the host has issued to this server, and what Entra compares with the trust of an app registration. */
export interface WorkloadToken {
  /** A compact JSON Web Token (RFC 7519). Never shown or logged. */
  readonly text: string;
  readonly issuer: string;
  readonly subject: string;
}

/** What Entra requires, and what tokens for anything else, such as the API of Kubernetes, don't have. */
export const workloadAudience = 'api://AzureADTokenExchange';

/** Tokens of Kubernetes have about 1 KiB. */
const maxBytes = 16 * 1024;
/** For a file system that does not respond. */
const timeoutMs = 2_000;
const timedOut = 'ETIMEDOUT';

/**
 * Returns what reads and checks the token in a file, which the host replaces before the token expires. Throws the `SignInRefusal`
 * `workload_token_unusable`, whose message contains nothing of the file.
 */
export function createTokenFile(path: string, clock: Clock, read = readText): () => Promise<WorkloadToken> {
  let reading: Promise<string> | undefined;
  return async () => {
    // One at a time, since each read of a file system that does not respond blocks a thread.
    reading ??= read(path).finally(() => {
      reading = undefined;
    });
    return check(await withinTime(reading), clock());
  };
}

async function readText(path: string): Promise<string> {
  try {
    // Opening a named pipe must not wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) throw unusable('is not a regular file');
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
      if (bytesRead > maxBytes) throw unusable('is larger than 16 KiB');
      return buffer.toString('latin1', 0, bytesRead).trim();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SignInRefusal) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw unusable(faults[code] ?? `can’t be read (${code || 'unknown error'})`, error);
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'can’t be read: the server lacks the permission',
  [timedOut]: 'can’t be read: its file system does not respond',
};

async function withinTime(reading: Promise<string>): Promise<string> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unusable(faults[timedOut] ?? '')), timeoutMs);
  try {
    return await Promise.race([reading, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function check(text: string, now: number): Promise<WorkloadToken> {
  if (text === '') throw unusable('is empty');
  const { iss, sub, aud, exp } = await decode(text);
  if (typeof iss !== 'string' || typeof sub !== 'string' || iss === '' || sub === '')
    throw unusable('contains a token without an issuer or a subject');
  // A token that others accept, too, must not be sent to Entra.
  if (aud !== workloadAudience && !(Array.isArray(aud) && aud.length === 1 && aud[0] === workloadAudience))
    throw unusable(`contains a token for another audience than ${workloadAudience}`);
  if (typeof exp !== 'number') throw unusable('contains a token that never expires');
  if (exp * 1_000 <= now) throw unusable('contains a token that has expired, so the host has not renewed it');
  return { text, issuer: iss, subject: sub };
}

async function decode(text: string): Promise<Readonly<Record<string, unknown>>> {
  const notToken = 'does not contain a JSON Web Token';
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) throw unusable(notToken);
  const { decodeJwt } = await import('jose');
  try {
    const claims: Readonly<Record<string, unknown>> = decodeJwt(text);
    return claims;
  } catch {
    // The error could contain a part of the token.
    throw unusable(notToken);
  }
}

/** `fault` completes the sentence "The token file of this server …". */
const unusable = (fault: string, cause?: unknown): SignInRefusal =>
  new SignInRefusal(
    'workload_token_unusable',
    {
      message: `The token file of this server ${fault}.`,
      remedy:
        'Have the operator of the server check the file of ATRIUM_WORKLOAD_TOKEN_FILE, or stop using the workload identity.',
    },
    cause,
  );
