import type { NewToken, PersonalTokenInput, Token, TokenInput } from '#contract/credentials/tokens.ts';
import type { TokenScope } from '#contract/scopes.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, SessionActor } from '../base/actor.ts';
import { newBearerToken, type TokenKind } from '../base/credentials/bearer-tokens.ts';
import { daysMs, parseTime, timestamp, type Clock } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type FirstRows, mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import { findRoleOf, requireMayGive } from '../organizations/members.ts';
import { getAccountRow } from '../organizations/users.ts';
import { lockSession } from '../sessions/locked-session.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import type { Audience } from './audience.ts';
import { deleteExpiredAccessTokens, deleteExpiredTokens } from './deletion-store.ts';
import { requirePersonalTokens } from './policy.ts';
import { findTokenPolicy } from './policy-store.ts';
import { deleteToken, findToken, insertToken, selectTokens, type StoredToken } from './store.ts';
import { toToken } from './validity.ts';

/** More than anyone needs, and few enough for a list. */
const maxTokensOfUser = 50;

export interface CredentialDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Creates a personal token of the actor for an organization. Throws `not_found`, `forbidden` if the organization doesn't permit personal
 * tokens, `confirmation_required`, `too_many_tokens`, and `invalid_body` for a wrong expiry.
 */
export function createPersonalToken(
  { database, clock }: CredentialDependencies,
  actor: SessionActor,
  { organizationId, ...input }: PersonalTokenInput,
): Promise<NewToken> {
  return database.write(async (transaction) => {
    await lockSession(transaction, actor);
    await requirePermissionToChange(transaction, actor, organizationId, 'organization.view');
    requireConfirmation(actor, clock);
    await requirePersonalTokens(transaction, organizationId);
    const owner = { kind: 'personal', userId: actor.userId, organizationId } as const;
    return issueToken(transaction, clock, actor, { ...owner, input });
  });
}

/** Creates a bearer token in a transaction that has checked the actor's permission, and holds the lock of the organization. */
export async function issueToken(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  { kind, ...owner }: Owner & { readonly kind: TokenKind },
): Promise<NewToken> {
  const token = newBearerToken(kind);
  const secret = { type: 'bearer', tokenHash: hashToken(token), publicKey: null } as const;
  return { ...(await storeToken(transaction, clock, actor, { ...owner, ...secret })), token };
}

interface Owner {
  readonly userId: string;
  readonly organizationId: string;
  readonly input: TokenInput;
}

/** Stores a token in a transaction that has checked the actor's permission, and holds the lock of the organization. */
export async function storeToken(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
  {
    userId,
    organizationId,
    input: { name, scopes, expiresAt },
    ...secret
  }: Owner & {
    readonly type: Token['type'];
    readonly tokenHash: string;
    readonly publicKey: string | null;
    /** By default, the whole server. */
    readonly audience?: Audience | null;
  },
): Promise<Token> {
  const now = clock();
  await requireProvisioningScope(transaction, userId, scopes);
  const { maxDays } = await findTokenPolicy(transaction, organizationId);
  const known = await selectTokens(
    transaction,
    { userId, organizationId },
    { limit: maxTokensOfUser, after: undefined },
  );
  if (known.hasMore || known.rows.length >= maxTokensOfUser) {
    throw new AtriumError(
      'too_many_tokens',
      `An account can have up to ${maxTokensOfUser} tokens. Revoke one that is no longer used.`,
    );
  }
  const token = {
    audience: null,
    ...secret,
    parentId: null,
    id: newId(),
    name,
    organizationId,
    userId,
    scopes,
    createdAt: timestamp(now),
    createdBy: actor.userId,
    expiresAt: requireExpiry(expiresAt, now, maxDays),
  };
  await insertToken(transaction, token);
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'token.created',
    actor,
    details: { tokenId: token.id, type: secret.type, name, scopes, userId, expiresAt: token.expiresAt },
  });
  const stored = await findToken(transaction, token.id);
  if (stored === undefined) throw notFound();
  return toToken(stored, now);
}

/**
 * Throws `invalid_body` if a token with the scope `scim` has other scopes or belongs to a person: a directory stores it, so it must
 * neither read nor administer.
 */
async function requireProvisioningScope(
  reader: Reader,
  userId: string,
  scopes: readonly TokenScope[],
): Promise<void> {
  if (!scopes.includes('scim')) return;
  const { isServiceAccount } = await getAccountRow(reader, userId);
  if (isServiceAccount === 1 && scopes.length === 1) return;
  const message = 'Only service accounts can have the scope scim, and it can’t be combined with others';
  throw invalidBody({ pointer: '/scopes', code: 'scope', message });
}

/** Returns who created the token that an actor uses; undefined for a session. */
export async function findTokenCreator(reader: Reader, { credential }: Actor): Promise<string | undefined> {
  if (credential.kind !== 'token') return undefined;
  return (await findToken(reader, credential.id))?.createdBy;
}

function requireExpiry(text: string, now: number, maxDays: number): string {
  const timeMs = parseTime(text);
  if (timeMs !== undefined && timeMs > now && timeMs <= now + daysMs(maxDays)) return timestamp(timeMs);
  const message = `must be a time in the future, at most ${maxDays} days from now`;
  throw invalidBody({ pointer: '/expiresAt', code: 'time', message });
}

/** Lists the actor's personal tokens in the scope of the session, newest first. */
export async function listTokens(
  { database, clock }: CredentialDependencies,
  { userId, scope }: SessionActor,
  page: PageRequest,
): Promise<Page<Token>> {
  const organizationId = scope === 'all' ? undefined : scope.organizationId;
  return toTokens(await selectTokens(database, { userId, organizationId }, page), clock);
}

const toTokens = (stored: FirstRows<StoredToken>, clock: Clock): Page<Token> => {
  const now = clock();
  return toPage(
    mapRows(stored, (token) => toToken(token, now)),
    ({ id }) => id,
  );
};

/** Returns the name of the token that an actor uses; undefined for a session. */
export async function findTokenName(reader: Reader, { credential }: Actor): Promise<string | undefined> {
  if (credential.kind !== 'token') return undefined;
  return (await findToken(reader, credential.id))?.name;
}

/** Revokes one of the actor's personal tokens. Throws `not_found`. */
export async function revokeToken(
  { database, clock }: CredentialDependencies,
  actor: SessionActor,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    const token = await findToken(transaction, id);
    const isInScope = actor.scope === 'all' || actor.scope.organizationId === token?.organizationId;
    if (token?.userId !== actor.userId || !isInScope) throw notFound();
    await revoke(transaction, clock, actor, token);
  });
}

async function revoke(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  token: StoredToken,
): Promise<void> {
  const { id: tokenId, name, organizationId, userId } = token;
  await deleteToken(transaction, tokenId);
  const details = { tokenId, name, userId };
  await recordAudit(transaction, clock, { organizationId, action: 'token.revoked', actor, details });
}

/** Lists the tokens for an organization, newest first. Requires permission to manage members. */
export async function listOrganizationTokens(
  { database, clock }: CredentialDependencies,
  actor: Actor,
  { organizationId, userId }: { readonly organizationId: string; readonly userId?: string | undefined },
  page: PageRequest,
): Promise<Page<Token>> {
  await requirePermission(database, actor, organizationId, 'member.manage');
  return toTokens(await selectTokens(database, { userId, organizationId }, page), clock);
}

/** Revokes a token for an organization. Requires permission to manage its owner. Throws `not_found` and `forbidden`. */
export async function revokeOrganizationToken(
  { database, clock }: CredentialDependencies,
  actor: Actor,
  { organizationId, tokenId }: { readonly organizationId: string; readonly tokenId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const role = await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const token = await findToken(transaction, tokenId);
    if (token?.organizationId !== organizationId) throw notFound();
    const ownersRole = await findRoleOf(transaction, organizationId, token.userId);
    if (ownersRole !== undefined) requireMayGive(role, ownersRole);
    await revoke(transaction, clock, actor, token);
  });
}

/** How long an expired token stays in the lists, so that people see why a program stopped. */
const listedForMs = daysMs(30);

/** Deletes the tokens that expired a while ago. */
export async function sweepTokens({ database, clock }: CredentialDependencies): Promise<void> {
  const now = clock();
  await database.writeSlowly(async (transaction) => {
    await deleteExpiredTokens(transaction, timestamp(now - listedForMs));
    await deleteExpiredAccessTokens(transaction, timestamp(now));
  });
}
