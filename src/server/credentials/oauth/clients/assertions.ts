import type { JWTPayload } from 'jose';
import { minutesMs, timestamp } from '../../../base/clock.ts';
import { hashToken } from '../../../base/credentials/tokens.ts';

/** The algorithms that assertions may be signed with: only those with a public key, and never `none`. */
export const signatureAlgorithms = ['ES256', 'RS256', 'EdDSA', 'Ed25519'] as const;

/** How far ahead an assertion may expire. Its ID is stored until then, so that it is accepted only once. */
const maxLifetimeMs = minutesMs(10);
const toleranceSeconds = 60;

/** An assertion that is signed by a key of its client, and accepted once. */
export interface Assertion {
  readonly keyId: string;
  /** What is stored, so that it can't be used again. */
  readonly use: { readonly id: string; readonly expiresAt: string };
}

interface ClientKey {
  readonly id: string;
  readonly publicKey: string | null;
}

/** Whether a claim may be the ID of a service account: nothing else is looked up. */
const isClientId = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[0-9a-f-]{36}$/.test(claim);

/** Returns the client that an assertion claims to be from (RFC 7523, section 3), before anything is verified, or undefined. */
export async function readClientOf(assertion: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose');
  try {
    const { iss, sub } = decodeJwt(assertion);
    return iss === sub && isClientId(iss) ? iss : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies an assertion of a client (RFC 7523, section 3) by its keys. `audiences` are this server's own. Returns undefined if it is not
 * valid, expires more than ten minutes ahead, or has no ID.
 */
export async function verifyAssertion(
  assertion: string,
  {
    clientId,
    keys,
    audiences,
    now,
  }: {
    readonly clientId: string;
    readonly keys: readonly ClientKey[];
    readonly audiences: readonly string[];
    readonly now: number;
  },
): Promise<Assertion | undefined> {
  const { importJWK, jwtVerify, decodeProtectedHeader } = await import('jose');
  for (const { id, publicKey } of keys) {
    // Sound because a client's keys are stored as JWKs.
    const jwk = JSON.parse(publicKey ?? '{}') as { kid?: string };
    try {
      const { kid, alg = '' } = decodeProtectedHeader(assertion);
      if (kid !== undefined && jwk.kid !== undefined && kid !== jwk.kid) continue;
      const { payload } = await jwtVerify(assertion, await importJWK(jwk, alg), {
        algorithms: [...signatureAlgorithms],
        issuer: clientId,
        subject: clientId,
        audience: [...audiences],
        requiredClaims: ['exp', 'jti'],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now),
      });
      return isShort(payload, now) ? { keyId: id, use: useOf(clientId, payload) } : undefined;
    } catch {
      // The next key is tried: only two are expected, while one replaces the other.
    }
  }
  return undefined;
}

/** Whether an assertion names one audience only, and expires soon. */
const isShort = ({ aud, exp = Infinity, jti }: JWTPayload, now: number): boolean =>
  typeof aud === 'string' && typeof jti === 'string' && jti !== '' && exp * 1_000 <= now + maxLifetimeMs;

const useOf = (clientId: string, { jti, exp = 0 }: JWTPayload): Assertion['use'] => ({
  id: hashToken(`${clientId} ${jti}`),
  expiresAt: timestamp((exp + toleranceSeconds) * 1_000),
});
