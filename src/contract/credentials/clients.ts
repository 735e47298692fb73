import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { Token, tokenSettings } from './tokens.ts';

const member = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1_024, description }));

/** A public key of a client (RFC 7517, section 4): P-256, Ed25519, or RSA of 2,048 to 4,096 bits. */
const PublicKey = Type.Object({
  kty: Type.Enum(['EC', 'OKP', 'RSA'], { description: 'The type of the key' }),
  crv: Type.Optional(Type.Enum(['P-256', 'Ed25519'], { description: 'The curve, of EC and OKP' })),
  x: member('Of EC and OKP'),
  y: member('Of EC'),
  n: member('Of RSA'),
  e: member('Of RSA'),
  kid: member('Sent by the client in the header of its assertions, to choose the key'),
});
export type PublicKey = Static<typeof PublicKey>;

const ClientCredentialInput = Type.Object({
  ...tokenSettings,
  publicKey: Type.Optional(
    Type.Object(PublicKey.properties, {
      description:
        'A JWK: P-256, Ed25519, or RSA of 2,048 to 4,096 bits. The client then signs assertions (RFC 7523)',
    }),
  ),
});
export type ClientCredentialInput = Static<typeof ClientCredentialInput>;

/** A secret or key of a client that was just created. */
const NewClientCredential = Type.Object({
  ...Token.properties,
  clientId: Type.String({
    description: 'The ID of the service account, with which the client identifies itself',
  }),
  clientSecret: Type.Optional(
    Type.String({ description: 'Absent if the client has sent a public key. It is not shown again' }),
  ),
});
export type NewClientCredential = Static<typeof NewClientCredential>;

export const createClientCredential = defineRoute({
  tag: 'Tokens',
  access: 'session',
  id: 'createClientCredential',
  summary: 'Create a secret or register a key with which a service account gets access tokens',
  description:
    'Owner or admin. The client gets access tokens of one hour from `/api/oauth/token` (OAuth 2.0 client credentials). Without ' +
    '`publicKey`, a secret is created. To replace one, create a second, use it, and revoke the first. Requires a recent ' +
    'confirmation of identity.',
  method: 'POST',
  path: '/api/organizations/{orgId}/service-accounts/{userId}/client-credentials',
  params: Type.Object({ orgId: Type.String(), userId: Type.String() }),
  body: ClientCredentialInput,
  status: 201,
  reply: NewClientCredential,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'too_many_tokens'],
});
