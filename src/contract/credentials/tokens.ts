import { Type, type Static } from 'typebox';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { TokenScope } from '../scopes.ts';
import { DisplayName, Id, page, PageQuery, timePattern, Timestamp } from '../values.ts';

/** The longest time that a token can be valid, in days. */
export const maxTokenDays = 365;

export const Scopes = Type.Array(TokenScope, { minItems: 1, maxItems: 10, uniqueItems: true });

/** Whether a token works, or why it doesn't. */
export const TokenState = Type.Enum(
  ['active', 'expired', 'suspended', 'not_permitted', 'sso_required', 'second_factor_missing', 'disabled'],
  {
    description:
      'Whether it works. `suspended`: the server was restored from a backup, and nobody has confirmed yet that the token was ' +
      'not revoked since; `not_permitted`: the organization does not permit personal tokens; `sso_required`: the organization ' +
      'requires SSO, and the person has not signed in through its directory in the last seven days; `second_factor_missing`: it ' +
      'requires a second factor, which the person has not set up; `disabled`: the account of the person is disabled',
  },
);
export type TokenState = Static<typeof TokenState>;

/** What a token is: sent with requests itself, or a secret or key by which a client gets access tokens. */
export const TokenType = Type.Enum(['bearer', 'client_secret', 'client_key', 'authorization'], {
  description:
    '`bearer` is sent with each request; a client gets access tokens with `client_secret`, by signing with `client_key`, or by ' +
    'the `authorization` of a person',
});

/** A token that authenticates requests to one organization, without its text. */
export const Token = Type.Object({
  id: Id,
  name: Type.String(),
  organizationId: Id,
  userId: Type.String({ description: 'The person or service account that it acts as' }),
  type: TokenType,
  scopes: Type.Array(TokenScope),
  state: TokenState,
  createdAt: Timestamp,
  createdBy: Type.String({ description: 'The ID of the person who created it' }),
  expiresAt: Type.String({
    ...Timestamp,
    description:
      'RFC 3339. The earlier of its own expiry and the one that the policy of the organization sets',
  }),
  lastUsedAt: Type.Optional(
    Type.String({ ...Timestamp, description: 'RFC 3339, accurate to five minutes; absent if never' }),
  ),
  lastUsedAddress: Type.Optional(Type.String({ description: 'The IP address that last used it' })),
});
export type Token = Static<typeof Token>;

/** A token that was just created, with its text, which is never shown again. */
export const NewToken = Type.Object({
  ...Token.properties,
  token: Type.String({ description: 'Sent as `Authorization: Bearer …`. It is not shown again' }),
});
export type NewToken = Static<typeof NewToken>;

export const tokenSettings = {
  name: DisplayName,
  scopes: Scopes,
  expiresAt: Type.String({
    pattern: timePattern,
    'x-expected': 'an RFC 3339 date or time',
    description: 'RFC 3339, at most a year from now, or less if the organization requires it',
    examples: ['2027-01-01'],
  }),
};

/** What a token is created with. */
export const TokenInput = Type.Object(tokenSettings);
export type TokenInput = Static<typeof TokenInput>;

const PersonalTokenInput = Type.Object({ organizationId: GivenId, ...tokenSettings });
export type PersonalTokenInput = Static<typeof PersonalTokenInput>;

const base = { tag: 'Tokens', access: 'session' } as const;

export const listTokens = defineRoute({
  ...base,
  id: 'listTokens',
  summary: 'List your personal tokens, newest first',
  description: 'A session that is limited to one organization lists the tokens for it.',
  method: 'GET',
  path: '/api/auth/tokens',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Token),
});

export const createToken = defineRoute({
  ...base,
  id: 'createToken',
  summary: 'Create a personal token for one of your organizations',
  description:
    'It can do what you can do in the organization, as far as its scopes permit, and stops working when you leave it. In an ' +
    'organization that requires SSO, it works while you have signed in through its directory in the last seven days. Requires ' +
    'a recent confirmation of identity.',
  method: 'POST',
  path: '/api/auth/tokens',
  body: PersonalTokenInput,
  status: 201,
  reply: NewToken,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'sso_required', 'too_many_tokens'],
});

export const revokeToken = defineRoute({
  ...base,
  id: 'revokeToken',
  summary: 'Revoke one of your personal tokens',
  description: 'It can no longer be used from then on.',
  method: 'DELETE',
  path: '/api/auth/tokens/{tokenId}',
  params: Type.Object({ tokenId: Type.String() }),
  status: 204,
  problems: ['not_found'],
});

export const confirmToken = defineRoute({
  ...base,
  id: 'confirmToken',
  summary: 'Confirm one of your personal tokens that a restore has suspended',
  description:
    'With a recent confirmation of identity, if the organization permits personal tokens. It works again, as far as nothing else is against ' +
    'it. Confirm only tokens that you have not revoked since the backup was made.',
  method: 'POST',
  path: '/api/auth/tokens/{tokenId}/confirm',
  params: Type.Object({ tokenId: Type.String() }),
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'sso_required'],
});

const OrgId = Type.Object({ orgId: Type.String() });

export const listOrganizationTokens = defineRoute({
  ...base,
  id: 'listOrganizationTokens',
  summary: 'List the tokens for an organization, newest first',
  description: 'Owner or admin. Those of its members and of its service accounts.',
  method: 'GET',
  path: '/api/organizations/{orgId}/tokens',
  params: OrgId,
  query: Type.Object({
    ...PageQuery,
    'user-id': Type.Optional(
      Type.String({ ...GivenId, description: 'Only those of this person or service account' }),
    ),
  }),
  status: 200,
  reply: page(Token),
  problems: ['forbidden', 'not_found'],
});

export const revokeOrganizationToken = defineRoute({
  ...base,
  id: 'revokeOrganizationToken',
  summary: 'Revoke a token for an organization',
  description: 'Owner or admin; only an owner can revoke the token of an owner.',
  method: 'DELETE',
  path: '/api/organizations/{orgId}/tokens/{tokenId}',
  params: Type.Object({ orgId: Type.String(), tokenId: Type.String() }),
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const confirmOrganizationToken = defineRoute({
  ...base,
  id: 'confirmOrganizationToken',
  summary: 'Confirm a token that a restore has suspended',
  description:
    'Owner, with a recent confirmation of identity. It works again, as far as nothing else is against it. After a restore from a backup, ' +
    'all tokens are suspended, since some may have been revoked after the backup was made.',
  method: 'POST',
  path: '/api/organizations/{orgId}/tokens/{tokenId}/confirm',
  params: Type.Object({ orgId: Type.String(), tokenId: Type.String() }),
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const confirmAllOrganizationTokens = defineRoute({
  ...base,
  id: 'confirmAllOrganizationTokens',
  summary: 'Confirm all tokens that a restore has suspended',
  description:
    'Owner, with a recent confirmation of identity. Those that were revoked after the backup was made work again, too: revoke them first.',
  method: 'POST',
  path: '/api/organizations/{orgId}/tokens/confirm-all',
  params: OrgId,
  status: 200,
  reply: Type.Object({ confirmed: Type.Integer({ description: 'How many there were' }) }),
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

/** Which tokens an organization permits. */
export const TokenPolicy = Type.Object({
  personalTokens: Type.Boolean({ description: 'Whether personal tokens work' }),
  maxDays: Type.Integer({
    minimum: 1,
    maximum: maxTokenDays,
    description: 'The most days that a token can be valid',
  }),
});
export type TokenPolicy = Static<typeof TokenPolicy>;

export const getTokenPolicy = defineRoute({
  ...base,
  id: 'getTokenPolicy',
  summary: 'Read which tokens an organization permits',
  description: 'For members.',
  method: 'GET',
  path: '/api/organizations/{orgId}/token-policy',
  params: OrgId,
  status: 200,
  reply: TokenPolicy,
  problems: ['not_found'],
});

export const putTokenPolicy = defineRoute({
  ...base,
  id: 'putTokenPolicy',
  summary: 'Set which tokens an organization permits',
  description: 'Owner or admin. It applies to existing tokens, too.',
  method: 'PUT',
  path: '/api/organizations/{orgId}/token-policy',
  params: OrgId,
  body: TokenPolicy,
  status: 200,
  reply: TokenPolicy,
  problems: ['forbidden', 'not_found'],
});
