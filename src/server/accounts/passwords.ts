import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id (RFC 9106) with 19 MiB, two passes, one lane: the parameters that OWASP recommends. Argon2id is the default.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Returns the hash of a password in the PHC string format. It takes about 20 ms on another thread. */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

let dummyHash: Promise<string> | undefined;

/**
 * Whether a password matches a hash. Without a hash (no such account, or one without a password) it returns false after
 * the same work, so that the time reveals nothing about the account.
 */
export async function passwordMatches(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await dummyHash), password);
  return matches && passwordHash !== null && passwordHash !== undefined;
}
