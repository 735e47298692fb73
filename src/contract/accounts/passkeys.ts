import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, Timestamp } from '../values.ts';
import { bytes, ClientData, CredentialId, PasskeyAssertion } from './passkey-assertion.ts';
import { SignedIn } from './sessions.ts';

/** How many passkeys an account can have. */
export const maxPasskeys = 20;

export const PasskeyName = Type.String({ ...DisplayName, maxLength: 100 });

/** A passkey of an account, without its key. */
export const Passkey = Type.Object({
  id: Id,
  name: PasskeyName,
  host: Type.String({ description: 'The host that it works for: that of the server when it was added' }),
  isUsable: Type.Boolean({ description: 'False if the host of the server has changed since then' }),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
});
export type Passkey = Static<typeof Passkey>;

const options = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

/** What a browser passes to `navigator.credentials.get`. */
export const PasskeyRequest = options('The `PublicKeyCredentialRequestOptionsJSON` of Web Authentication');

const account = { tag: 'Account', access: 'session' } as const;
const params = Type.Object({ passkeyId: Type.String() });

export const startPasskey = defineRoute({
  ...account,
  id: 'startPasskey',
  summary: 'Start adding a passkey',
  description:
    'Requires a recent confirmation of identity. Sets a cookie for the next step, which has to follow within five minutes.',
  method: 'POST',
  path: '/api/auth/passkeys/options',
  status: 200,
  reply: options('The `PublicKeyCredentialCreationOptionsJSON` of Web Authentication'),
  problems: ['confirmation_required', 'forbidden', 'too_many_passkeys', 'too_many_attempts'],
});

export const addPasskey = defineRoute({
  ...account,
  id: 'addPasskey',
  summary: 'Add a passkey',
  description:
    'Requires a recent confirmation of identity. The first second factor also creates recovery codes, and ends your other ' +
    'sessions, which started without it.',
  method: 'POST',
  path: '/api/auth/passkeys',
  body: Type.Object({
    name: PasskeyName,
    credential: Type.Object(
      {
        id: CredentialId,
        response: Type.Object(
          {
            clientDataJSON: ClientData,
            attestationObject: bytes(16_000, 'The public key and what else the authenticator says'),
            transports: Type.Optional(
              Type.Array(Type.String({ maxLength: 50 }), {
                maxItems: 10,
                description: 'How browsers reach the authenticator',
              }),
            ),
          },
          { description: 'What the authenticator returned' },
        ),
      },
      { description: 'The `RegistrationResponseJSON` of Web Authentication' },
    ),
  }),
  maxBodyBytes: 64 * 1024,
  status: 200,
  reply: Type.Object({
    passkey: Passkey,
    recoveryCodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Ten codes, returned only once; absent if you have codes' }),
    ),
    endedSessions: Type.Integer({ description: 'How many other sessions were ended' }),
  }),
  problems: [
    'confirmation_required',
    'forbidden',
    'invalid_credentials',
    'too_many_passkeys',
    'too_many_attempts',
  ],
});

export const renamePasskey = defineRoute({
  ...account,
  id: 'renamePasskey',
  summary: 'Rename a passkey',
  description: 'Requires a recent confirmation of identity.',
  method: 'PATCH',
  path: '/api/auth/passkeys/{passkeyId}',
  params,
  body: Type.Object({ name: PasskeyName }),
  status: 200,
  reply: Passkey,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const removePasskey = defineRoute({
  ...account,
  id: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'Requires a recent confirmation of identity. Without any second factor, the recovery codes are deleted, too.',
  method: 'DELETE',
  path: '/api/auth/passkeys/{passkeyId}',
  params,
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

const start = { method: 'POST', status: 200, reply: PasskeyRequest } as const;

export const startSecondStepPasskey = defineRoute({
  ...start,
  id: 'startSecondStepPasskey',
  tag: 'Sessions',
  summary: 'Start to use a passkey as the second factor of a sign-in',
  description:
    'For the browser that entered the password. The passkey has to be used within five minutes, and each response once.',
  path: '/api/auth/sign-in/second-factor/options',
  access: 'public',
  problems: ['forbidden', 'sign_in_expired', 'too_many_attempts'],
});

export const startPasskeySignIn = defineRoute({
  ...start,
  id: 'startPasskeySignIn',
  tag: 'Sessions',
  summary: 'Start to sign in with a passkey only',
  description: 'The options name no passkeys: the authenticator shows those that it has for this server.',
  path: '/api/auth/sign-in/passkey/options',
  access: 'public',
  problems: ['forbidden', 'too_many_attempts'],
});

export const signInByPasskey = defineRoute({
  id: 'signInByPasskey',
  tag: 'Sessions',
  summary: 'Sign in with a passkey only',
  description:
    'Within five minutes, in the same browser. Instead of the password and the second factor: the authenticator has verified the person.',
  method: 'POST',
  path: '/api/auth/sign-in/passkey',
  access: 'public',
  body: Type.Object({ assertion: PasskeyAssertion }),
  status: 200,
  reply: SignedIn,
  problems: ['invalid_credentials', 'sso_required', 'sign_in_refused', 'too_many_attempts'],
});

export const startPasskeyConfirmation = defineRoute({
  ...start,
  id: 'startPasskeyConfirmation',
  tag: 'Sessions',
  summary: 'Start to confirm your identity with a passkey',
  description: 'The passkey has to be used within five minutes, and each response once.',
  path: '/api/auth/confirm/options',
  access: 'session',
  problems: ['forbidden', 'too_many_attempts'],
});
