import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { isInScope, paged, type PageParameters, type PersonScope } from './paged.ts';

const account = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('authenticator_apps', 'authenticator_apps.user_id', 'users.id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.created_at as createdAt',
      'users.updated_at as updatedAt',
      'users.is_operator as isOperator',
      'users.comment_mails as commentMails',
      'users.password_hash as passwordHash',
      'authenticator_apps.created_at as authenticatorAppSince',
    ])
    .select(({ selectFrom, fn }) =>
      selectFrom('recovery_codes')
        .select(fn.countAll<number | string>().as('count'))
        .where('recovery_codes.user_id', '=', p.userId)
        .as('recoveryCodes'),
    )
    .where('users.id', '=', p.userId),
);

/** Returns what is stored about an account, without secrets, and without second factors for a session from a directory. */
export async function findAccountData(reader: Reader, { userId, limitedTo }: PersonScope): Promise<object> {
  const row = await reader.first(account, { userId });
  if (row === undefined) return {};
  const { passwordHash, isOperator, commentMails, recoveryCodes, authenticatorAppSince, ...rest } = row;
  return {
    ...rest,
    isOperator: isOperator === 1,
    commentMails: commentMails === 1,
    hasPassword: passwordHash !== null,
    ...(limitedTo === undefined && { authenticatorAppSince, recoveryCodes: Number(recoveryCodes) }),
  };
}

export const readMemberships = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('members')
      .innerJoin('organizations', 'organizations.id', 'members.organization_id')
      .select([
        'organizations.id',
        'organizations.name',
        'members.role',
        'members.created_at as since',
        'members.last_seen_at as lastSeenAt',
        'members.directory_sign_in_at as directorySignInAt',
      ])
      .where('members.user_id', '=', p.userId)
      .where('members.organization_id', 'in', p.organizationIds)
      .where('organizations.id', '>', p.after)
      .orderBy('organizations.id')
      .limit(p.limit),
  ),
);

export const readSessions = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('sessions')
      .select([
        'id',
        'method',
        'organization_id as organizationId',
        'user_agent as userAgent',
        'address',
        'created_at as createdAt',
        'last_used_at as lastUsedAt',
        'expires_at as expiresAt',
      ])
      .where('user_id', '=', p.userId)
      .where((of) => isInScope(of, 'organization_id', p))
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export const readPasskeys = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'host', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', p.userId)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

/** Tokens, and the programs that the person has authorized. */
export const readTokens = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('tokens')
      .select([
        'id',
        'organization_id as organizationId',
        'kind',
        'name',
        'scopes',
        'created_at as createdAt',
        'expires_at as expiresAt',
        'last_used_at as lastUsedAt',
        'last_used_address as lastUsedAddress',
      ])
      .where('user_id', '=', p.userId)
      .where('organization_id', 'in', p.organizationIds)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

/** The accounts at identity providers with which the person signs in. */
export const readIdentities = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('sso_identities')
      .select([
        'subject as id',
        'issuer',
        'organization_id as organizationId',
        'created_at as createdAt',
        'role',
      ])
      .where('user_id', '=', p.userId)
      .where('organization_id', 'in', p.organizationIds)
      .where('subject', '>', p.after)
      .orderBy('subject')
      .limit(p.limit),
  ),
);

export const readInvitations = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('invitations')
      .select([
        'id',
        'organization_id as organizationId',
        'email',
        'role',
        'created_at as createdAt',
        'expires_at as expiresAt',
      ])
      .where('invited_by', '=', p.userId)
      .where('organization_id', 'in', p.organizationIds)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);
