import { createHash } from 'node:crypto';
import type {
  AskedAuthorization,
  AuthorizationDecision,
  AuthorizationParameters,
} from '#contract/credentials/authorizations.ts';
import { personalScopes, type TokenScope } from '#contract/scopes.ts';
import type { SessionActor } from '../../../base/actor.ts';
import { kindOfToken, newBearerToken } from '../../../base/credentials/bearer-tokens.ts';
import { minutesMs, timestamp, type Clock } from '../../../base/clock.ts';
import { notFound } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { hashToken } from '../../../base/credentials/tokens.ts';
import { lockOrganization } from '../../../organizations/authorization.ts';
import type { Database } from '../../../storage/database.ts';
import { narrowAudience, readResource, type Audience } from '../../audience.ts';
import { findToken } from '../../store.ts';
import { isValid } from '../../validity.ts';
import { insertAccessToken, requireScopes, type AccessTokenResponse } from '../access-tokens.ts';
import { endGrant } from '../revocation.ts';
import { OAuthError, type OAuthErrorCode } from '../errors.ts';
import { storeGrant } from './grants.ts';
import type { PublicClient } from '../clients/store.ts';
import { isUriOf, requirePublicClient } from '../clients/public-clients.ts';
import { createRefreshToken } from '../refresh/refresh.ts';
import { findRequest, insertRequest, useRequest } from './store.ts';

/** Longer than a client on a slow network takes to use a code (RFC 6749, section 4.1.2, permits ten minutes). */
const codeMs = minutesMs(1);

export interface CodeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Returns the client of a request. Throws `not_found` if it or its URI is not known: then nobody may be redirected. */
async function findClient(
  { database }: CodeDependencies,
  { clientId, redirectUri }: AuthorizationParameters,
): Promise<PublicClient> {
  const client = await requirePublicClient(database, clientId).catch((error: unknown) => {
    throw error instanceof OAuthError ? notFound() : error;
  });
  if (!isUriOf(client, redirectUri)) throw notFound();
  return client;
}

/** Returns the scopes that a request asks for. Throws the errors that the client gets (RFC 6749, section 4.1.2.1). */
function requireParameters(
  publicUrl: string,
  { responseType, codeChallenge, codeChallengeMethod, scope, resource }: AuthorizationParameters,
): TokenScope[] {
  if (responseType !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  if (codeChallengeMethod !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw new OAuthError('invalid_request', 'A code_challenge by S256 is required.');
  }
  readResource(publicUrl, resource);
  return scope === undefined ? ['read'] : requireScopes(scope, personalScopes);
}

/** Returns the address of a response to the client, which names this server (RFC 9207). */
function toResponse(
  publicUrl: string,
  { redirectUri, state }: AuthorizationParameters,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const all = { ...parameters, iss: publicUrl, ...(state !== undefined && { state }) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

const toErrorResponse = (
  publicUrl: string,
  parameters: AuthorizationParameters,
  code: OAuthErrorCode,
  description: string,
): string => toResponse(publicUrl, parameters, { error: code, error_description: description });

/** Returns what a client asks for. Throws `not_found`. */
export async function readAuthorization(
  dependencies: CodeDependencies,
  parameters: AuthorizationParameters,
): Promise<AskedAuthorization> {
  const { name: clientName, isBuiltIn } = await findClient(dependencies, parameters);
  const asked = { clientName, isVerified: isBuiltIn, redirectUri: parameters.redirectUri };
  try {
    const scopes = requireParameters(dependencies.publicUrl, parameters);
    const isForMcp = readResource(dependencies.publicUrl, parameters.resource) === 'mcp';
    return { ...asked, scopes, ...(isForMcp && { isForMcp }) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const refusal = toErrorResponse(dependencies.publicUrl, parameters, error.code, error.message);
    return { ...asked, scopes: [], refusal };
  }
}

/**
 * Authorizes or refuses a client, and returns where to send the person. Throws `not_found` and, if the person authorizes, what `storeGrant`
 * throws.
 */
export async function decideAuthorization(
  dependencies: CodeDependencies,
  actor: SessionActor,
  { approval, ...parameters }: AuthorizationDecision,
  address: string,
): Promise<string> {
  const { database, clock, publicUrl } = dependencies;
  const client = await findClient(dependencies, parameters);
  const { refusal, scopes: asked } = await readAuthorization(dependencies, parameters);
  if (refusal !== undefined) return refusal;
  if (approval === undefined) {
    return toErrorResponse(publicUrl, parameters, 'access_denied', 'The user denied the request.');
  }
  const code = newBearerToken('authorizationCode');
  await database.write(async (transaction) => {
    const audience = readResource(publicUrl, parameters.resource) ?? null;
    const grant = { client, ...approval, asked, pointer: '/approval/scopes', audience };
    const grantId = await storeGrant(transaction, clock, actor, grant);
    const now = clock();
    await insertRequest(transaction, {
      id: newId(),
      codeHash: hashToken(code),
      userCodeHash: null,
      clientId: client.id,
      scopes: approval.scopes.join(' '),
      address,
      createdAt: timestamp(now),
      expiresAt: timestamp(now + codeMs),
      intervalSeconds: 0,
      status: 'approved',
      grantId,
      redirectUri: parameters.redirectUri,
      codeChallenge: parameters.codeChallenge,
    });
  });
  return toResponse(publicUrl, parameters, { code });
}

interface CodeUse {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string;
  readonly address: string;
  /** What the access token is asked for. */
  readonly audience: Audience | null | undefined;
}

/**
 * Gives a client the first tokens for a code (RFC 6749, section 4.1.3), if it knows the verifier of the challenge (RFC 7636, section 4.6).
 * A code that is used twice ends the authorization. Throws `invalid_grant`.
 */
export async function useCode(
  { database, clock }: Pick<CodeDependencies, 'database' | 'clock'>,
  { code, clientId, redirectUri, verifier, address, audience: asked }: CodeUse,
): Promise<AccessTokenResponse> {
  const invalid = new OAuthError('invalid_grant', 'The code is not valid, was used before or has expired.');
  // Looked up before anything is written.
  if (kindOfToken(code) !== 'authorizationCode') throw invalid;
  if ((await findRequest(database, { codeHash: hashToken(code) })) === undefined) throw invalid;
  // A verifier of another form (RFC 7636, section 4.1) fits no challenge.
  const isVerifier = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  const challenge = isVerifier ? createHash('sha256').update(verifier).digest('base64url') : undefined;
  const response = await database.write(async (transaction) => {
    const request = await findRequest(transaction, { codeHash: hashToken(code) });
    const { grantId = null } = request ?? {};
    const found = grantId === null ? undefined : await findToken(transaction, grantId);
    if (request === undefined || found === undefined || request.clientId !== clientId) return undefined;
    await lockOrganization(transaction, found.organizationId);
    if (!(await useRequest(transaction, request.id))) {
      // Not thrown here: the deletion is to be committed.
      await endGrant(transaction, clock, found, 'code_reused');
      return undefined;
    }
    const now = clock();
    const grant = await findToken(transaction, found.id);
    const isBound = request.codeChallenge === challenge && request.redirectUri === redirectUri;
    if (grant === undefined || !isBound || Date.parse(request.expiresAt) <= now || !isValid(grant, now)) {
      // A client that has the code without its verifier has stolen it.
      await endGrant(transaction, clock, found, 'code_stolen');
      return undefined;
    }
    const { scopes } = grant;
    const audience = narrowAudience(grant.audience, asked);
    const access = await insertAccessToken(transaction, { parent: grant, scopes, audience, now, address });
    return { ...access, refresh_token: await createRefreshToken(transaction, grant.id) };
  });
  if (response === undefined) throw invalid;
  return response;
}
