import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose';
import type { KeyFetch, ProviderKeys } from './provider/keys.ts';

/** What a provider asks to end: the session `sessionId`, or else all sessions of `subject`. */
export interface Logout {
  readonly issuer: string;
  /** The claim `sub`. */
  readonly subject: string | undefined;
  /** The claim `sid`. */
  readonly sessionId: string | undefined;
  /** How long ago the provider sent it. Negative if its clock is ahead. */
  readonly ageMs: number;
}

interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  /** Those of ID tokens that the discovery document lists, of which none has a shared key. */
  readonly algorithms: readonly string[];
}

const event = 'http://schemas.openid.net/event/backchannel-logout';
const clockToleranceSeconds = 300;
/** A token that was intercepted must not end sessions for long. */
const maxAgeSeconds = 600;
/** The longest `sub` and `sid` that are accepted. */
export const maxTextLength = 1_000;

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6) with the keys of its provider, which are fetched
 * again if they don't match. Returns undefined if it is not valid.
 */
export async function checkLogoutToken(
  token: string,
  expected: Expected,
  keys: ProviderKeys,
): Promise<Logout | undefined> {
  const payload = await verifyWithNewestKeys(token, expected, keys);
  if (payload === undefined) return undefined;
  const { sub: subject, sid: sessionId, iat = 0 } = payload;
  if (!isShortText(subject) || !isShortText(sessionId) || (subject ?? sessionId) === undefined)
    return undefined;
  return { issuer: expected.issuer, subject, sessionId, ageMs: Date.now() - iat * 1_000 };
}

async function verifyWithNewestKeys(
  token: string,
  expected: Expected,
  keys: ProviderKeys,
): Promise<JWTPayload | undefined> {
  if (keys.areFailing()) throw new Error('The keys of the provider could not be read a moment ago.');
  const known = keys.get();
  const keySet = await toKeySet(known);
  try {
    return await verify(token, expected, keySet);
  } catch (error) {
    const newer = isAboutKeys(error) ? keys.findNewer(known) : undefined;
    const newerKeySet = newer && (await toKeySet(newer));
    return newerKeySet && verify(token, expected, newerKeySet).catch(() => undefined);
  }
}

/** Rejects if the keys can't be read, which says nothing about the token. */
async function toKeySet({ response }: KeyFetch): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet } = await import('jose');
  const { status, text } = await response;
  if (status !== 200) throw new Error(`The keys of the provider have the status ${status}.`);
  // Sound because `createLocalJWKSet` checks it.
  return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
}

async function verify(
  token: string,
  { issuer, clientId, algorithms }: Expected,
  keySet: JWTVerifyGetKey,
): Promise<JWTPayload> {
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(token, keySet, {
    // Never one that its sender chooses.
    algorithms: [...algorithms],
    issuer,
    audience: clientId,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: maxAgeSeconds,
    // By the time of this machine, as ID tokens.
    clockTolerance: clockToleranceSeconds,
  });
  const { events, nonce, aud } = payload;
  const isOurs = aud === clientId || (Array.isArray(aud) && aud.length === 1);
  // Without these checks, an ID token could end sessions.
  if (!isOurs || nonce !== undefined || !hasEvent(events)) throw new Error('It is not a logout token.');
  return payload;
}

/** Whether `events` names this event, with an object. */
function hasEvent(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, event)) return false;
  // Sound because it has the member.
  const details = (events as Readonly<Record<typeof event, unknown>>)[event];
  return typeof details === 'object' && details !== null;
}

const isShortText = (claim: unknown): claim is string | undefined =>
  claim === undefined || (typeof claim === 'string' && claim !== '' && claim.length <= maxTextLength);

const keyErrors: ReadonlySet<unknown> = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
]);

/** Whether newer keys may help. */
const isAboutKeys = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && keyErrors.has(error.code);
