import { randomInt } from 'node:crypto';
import type { DeviceApproval, DeviceRequest } from '#contract/credentials/device.ts';
import { personalScopes, type TokenScope } from '#contract/scopes.ts';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { SessionActor } from '../../../base/actor.ts';
import { kindOfToken, newBearerToken } from '../../../base/credentials/bearer-tokens.ts';
import { minutesMs, timestamp, type Clock } from '../../../base/clock.ts';
import { notFound } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { consume } from '../../../base/rate-limit.ts';
import { hashToken } from '../../../base/credentials/tokens.ts';
import { lockOrganization } from '../../../organizations/authorization.ts';
import type { Database, Reader } from '../../../storage/database.ts';
import { narrowAudience, type Audience } from '../../audience.ts';
import { findToken } from '../../store.ts';
import { isValid } from '../../validity.ts';
import { insertAccessToken, requireScopes, type AccessTokenResponse } from '../access-tokens.ts';
import { OAuthError } from '../errors.ts';
import { storeGrant } from './grants.ts';
import { requirePublicClient } from '../clients/public-clients.ts';
import { createRefreshToken } from '../refresh/refresh.ts';
import {
  decideRequest,
  deleteRequest,
  findRequest,
  insertRequest,
  recordPoll,
  type AuthorizationRequest,
} from './store.ts';

const requestMs = minutesMs(10);
const intervalSeconds = 5;

/** Without vowels, so that no word appears, and without characters that look alike (RFC 8628, section 6.1). */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

export interface DeviceDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Counts the codes that each person tries. */
  readonly triedCodes: RateLimiterMemory;
}

/** Few enough that nobody finds the code of someone else's device in the ten minutes that it lasts. */
export const createCodeLimit = (): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: 'user-code', points: 30, duration: 900 });

/**
 * Starts a request of a device (RFC 8628, section 3.2). Throws `invalid_client`, `invalid_scope`, and `unauthorized_client` for a program
 * that registered itself: it could give itself the name of another, and someone could be sent its code (section 5.4).
 */
export async function startDeviceRequest(
  {
    database,
    clock,
    publicUrl,
  }: { readonly database: Database; readonly clock: Clock; readonly publicUrl: string },
  {
    clientId = '',
    scope,
    address,
  }: { clientId: string | undefined; scope: string | undefined; address: string },
): Promise<object> {
  const client = await requirePublicClient(database, clientId);
  if (!client.isBuiltIn) {
    throw new OAuthError('unauthorized_client', 'A program that registered itself uses authorization codes.');
  }
  const scopes = scope === undefined ? ['read'] : requireScopes(scope, personalScopes);
  const now = clock();
  const letters = Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('');
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  const deviceCode = newBearerToken('device');
  await database.write((transaction) =>
    insertRequest(transaction, {
      id: newId(),
      codeHash: hashToken(deviceCode),
      userCodeHash: hashToken(letters),
      clientId,
      scopes: scopes.join(' '),
      address,
      createdAt: timestamp(now),
      expiresAt: timestamp(now + requestMs),
      intervalSeconds,
      status: 'pending',
      grantId: null,
      redirectUri: null,
      codeChallenge: null,
    }),
  );
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${publicUrl}/device`,
    verification_uri_complete: `${publicUrl}/device#${userCode}`,
    expires_in: requestMs / 1_000,
    interval: intervalSeconds,
  };
}

/** Sound because only scopes of the contract are stored. */
const scopesOf = ({ scopes }: AuthorizationRequest): TokenScope[] => scopes.split(' ') as TokenScope[];

/** Returns the open request of a code. Throws `not_found`, and `too_many_attempts` if the person tries many. */
async function findOpenRequest(
  { triedCodes, clock }: DeviceDependencies,
  reader: Reader,
  { userId }: SessionActor,
  userCode: string,
): Promise<AuthorizationRequest> {
  await consume(triedCodes, userId);
  const letters = userCode.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const request = await findRequest(reader, { userCodeHash: hashToken(letters) });
  if (request?.status !== 'pending' || Date.parse(request.expiresAt) <= clock()) throw notFound();
  return request;
}

/** Returns what the device with a code asks for. Throws `not_found` and `too_many_attempts`. */
export async function readDeviceRequest(
  dependencies: DeviceDependencies,
  actor: SessionActor,
  userCode: string,
): Promise<DeviceRequest> {
  const request = await findOpenRequest(dependencies, dependencies.database, actor, userCode);
  const { clientId, address, createdAt, expiresAt } = request;
  const { name } = await requirePublicClient(dependencies.database, clientId);
  return { clientName: name, scopes: scopesOf(request), address, createdAt, expiresAt };
}

/**
 * Authorizes a device to act as the actor in an organization, with scopes among those that it asks for. Throws `not_found`, `forbidden` if
 * the organization doesn't permit personal tokens, `confirmation_required`, `too_many_attempts` and `too_many_tokens`.
 */
export async function approveDeviceRequest(
  dependencies: DeviceDependencies,
  actor: SessionActor,
  { userCode, organizationId, scopes }: DeviceApproval,
): Promise<void> {
  const { database, clock } = dependencies;
  const request = await findOpenRequest(dependencies, database, actor, userCode);
  const client = await requirePublicClient(database, request.clientId);
  await database.write(async (transaction) => {
    const grantId = await storeGrant(transaction, clock, actor, {
      client,
      organizationId,
      scopes,
      asked: scopesOf(request),
      pointer: '/scopes',
    });
    const decision = { status: 'approved', grantId } as const;
    if (!(await decideRequest(transaction, request.id, decision))) throw notFound();
  });
}

/** Refuses a device. Throws `not_found` and `too_many_attempts`. */
export async function denyDeviceRequest(
  dependencies: DeviceDependencies,
  actor: SessionActor,
  userCode: string,
): Promise<void> {
  const { database } = dependencies;
  const { id } = await findOpenRequest(dependencies, database, actor, userCode);
  await database.write(async (transaction) => {
    if (!(await decideRequest(transaction, id, { status: 'denied', grantId: null }))) throw notFound();
  });
}

/**
 * Responds to a device that asks whether a person has decided (RFC 8628, section 3.4), with the first tokens of the authorization once it
 * is approved. Throws the errors of section 3.5.
 */
export async function pollDeviceRequest(
  { database, clock }: Pick<DeviceDependencies, 'database' | 'clock'>,
  {
    deviceCode = '',
    clientId,
    address,
    audience: asked,
  }: {
    deviceCode: string | undefined;
    clientId: string;
    address: string;
    audience: Audience | null | undefined;
  },
): Promise<AccessTokenResponse> {
  const codeHash = kindOfToken(deviceCode) === 'device' ? hashToken(deviceCode) : '';
  const unknown = new OAuthError('invalid_grant', 'The device code is not valid.');
  // Looked up before anything is written.
  if ((await findRequest(database, { codeHash }))?.clientId !== clientId) throw unknown;
  const result = await database.write(async (transaction) => {
    const request = await findRequest(transaction, { codeHash });
    if (request?.clientId !== clientId) return unknown;
    const now = clock();
    if (Date.parse(request.expiresAt) <= now)
      return new OAuthError('expired_token', 'The code has expired. Request a new one.');
    const { id, intervalSeconds: interval, lastPolledAt } = request;
    const isEarly = lastPolledAt !== null && now - Date.parse(lastPolledAt) < interval * 1_000;
    if (isEarly || request.status === 'pending') {
      const at = timestamp(now);
      await recordPoll(transaction, { id, at, intervalSeconds: isEarly ? interval + 5 : interval });
      return isEarly
        ? new OAuthError('slow_down', 'Wait five seconds longer between requests.')
        : new OAuthError('authorization_pending', 'The user has not decided yet.');
    }
    // Of several polls at once, one deletes it.
    if (!(await deleteRequest(transaction, id))) return unknown;
    const refused = new OAuthError(
      'access_denied',
      'The user denied the request, or the authorization was revoked.',
    );
    const found = request.grantId === null ? undefined : await findToken(transaction, request.grantId);
    if (found === undefined) return refused;
    await lockOrganization(transaction, found.organizationId);
    const grant = await findToken(transaction, found.id);
    if (grant === undefined || !isValid(grant, now)) return refused;
    const { scopes } = grant;
    const audience = narrowAudience(grant.audience, asked);
    const access = await insertAccessToken(transaction, { parent: grant, scopes, audience, now, address });
    return { ...access, refresh_token: await createRefreshToken(transaction, grant.id) };
  });
  if (result instanceof OAuthError) throw result;
  return result;
}
