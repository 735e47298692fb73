import type { TOTP } from 'otpauth';

const periodS = 30;

/** The secret of a new authenticator app, and the URI that its QR code contains. */
export interface NewAppSecret {
  /** 160 random bits in base 32 (RFC 4226, section 4). */
  readonly secret: string;
  readonly uri: string;
}

/** Returns a new secret for the account of a server, by whose host the app names it. */
export async function newAppSecret(email: string, host: string): Promise<NewAppSecret> {
  const { Secret } = await import('otpauth');
  const { base32: secret } = new Secret({ size: 20 });
  const generator = await generatorOf(secret, { label: email, issuer: `Atrium (${host})` });
  return { secret, uri: generator.toString() };
}

/**
 * Returns the time step of a code (RFC 6238), or undefined if the code is wrong at this time. The step before and the one after
 * are accepted, too, for clocks that differ and for people who type slowly. The caller must accept each step once.
 */
export async function findStep(secret: string, code: string, now: number): Promise<number | undefined> {
  const token = code.replaceAll(/[\s\p{Dash}]/gu, '');
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const delta = (await generatorOf(secret)).validate({ token, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1_000 / periodS) + delta;
}

/** With the parameters that every app supports: six digits of HMAC-SHA-1 every 30 seconds. The library is loaded at first use. */
async function generatorOf(
  secret: string,
  names: { readonly label?: string; readonly issuer?: string } = {},
): Promise<TOTP> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: periodS });
}
