import { Type, type Static } from 'typebox';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { TokenScope } from '../scopes.ts';
import { Scopes } from './tokens.ts';

const parameter = (maxLength: number, description: string) => Type.String({ maxLength, description });

/** The parameters with which a client sends a person to the consent page (RFC 6749, 7636, 8707). */
const AuthorizationParameters = Type.Object({
  clientId: parameter(100, '`client_id`'),
  redirectUri: parameter(500, '`redirect_uri`'),
  responseType: parameter(20, '`response_type`, which must be `code`'),
  codeChallenge: parameter(128, '`code_challenge`'),
  codeChallengeMethod: parameter(20, '`code_challenge_method`, which must be `S256`'),
  scope: Type.Optional(parameter(500, '`scope`; default: `read`')),
  state: Type.Optional(parameter(2_000, '`state`, which the client gets back')),
  resource: Type.Optional(parameter(500, '`resource`: this server, or its `/mcp` only')),
});
export type AuthorizationParameters = Static<typeof AuthorizationParameters>;

/** What a client asks a person for. */
export const AskedAuthorization = Type.Object({
  clientName: Type.String({ description: 'The name that the program gave itself, unless it is verified' }),
  isVerified: Type.Boolean({
    description: 'Whether the program belongs to this server; all others registered themselves',
  }),
  redirectUri: Type.String({ description: 'Where the response is sent' }),
  scopes: Type.Array(TokenScope),
  isForMcp: Type.Optional(
    Type.Boolean({ description: 'Present if its tokens are for `/mcp` only, and not for the API' }),
  ),
  refusal: Type.Optional(
    Type.String({ description: 'Where to send the person with an error, if the request is not valid' }),
  ),
});
export type AskedAuthorization = Static<typeof AskedAuthorization>;

const AuthorizationDecision = Type.Object({
  ...AuthorizationParameters.properties,
  approval: Type.Optional(
    Type.Object(
      { organizationId: GivenId, scopes: Scopes },
      { description: 'The organization and the granted scopes; absent to deny the request' },
    ),
  ),
});
export type AuthorizationDecision = Static<typeof AuthorizationDecision>;

const base = { tag: 'Tokens', access: 'session', method: 'POST' } as const;

export const readAuthorization = defineRoute({
  ...base,
  id: 'readAuthorization',
  summary: 'Read what a program asks for',
  description:
    'For the consent page (OAuth 2.0 authorization code with PKCE). `not_found` if the client or its URI is not known.',
  path: '/api/auth/authorizations/read',
  body: AuthorizationParameters,
  status: 200,
  reply: AskedAuthorization,
  problems: ['not_found'],
});

export const decideAuthorization = defineRoute({
  ...base,
  id: 'decideAuthorization',
  summary: 'Authorize or deny a program',
  description:
    'The program then acts as you in the organization, with the scopes that you choose among those it asks for, for at most 90 ' +
    'days. It is listed with your tokens, and can be revoked there. To authorize requires a recent confirmation of identity.',
  path: '/api/auth/authorizations',
  body: AuthorizationDecision,
  status: 200,
  reply: Type.Object({ redirectTo: Type.String({ description: 'Where to send the person' }) }),
  problems: ['confirmation_required', 'forbidden', 'not_found', 'sso_required', 'too_many_tokens'],
});
