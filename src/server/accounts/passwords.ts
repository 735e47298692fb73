import { hash, verify } from '@node-rs/argon2';

/** Argon2id (RFC 9106) with 19 MiB, two passes, one lane: the parameters that OWASP names. Argon2id is the default. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Returns the hash of a password in the PHC string format; takes some 20 ms on another thread. */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

let hashOfNobody: Promise<string> | undefined;

/**
 * Whether a password belongs to a hash. Without a hash (no such account, or one without a password) the answer is
 * no, after the same work: the time tells nothing about the account.
 */
export async function passwordMatches(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  hashOfNobody ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await hashOfNobody), password);
  return matches && passwordHash !== null && passwordHash !== undefined;
}
