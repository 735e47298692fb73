import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { Timestamp } from '../values.ts';
import { Passkey } from './passkeys.ts';
import { CodeProof, SecondFactorProof } from './second-factor-proof.ts';
import { SignedIn } from './sessions.ts';

/** The second factors of an account. */
export const SecondFactors = Type.Object({
  authenticatorApp: Type.Optional(
    Type.Object({ createdAt: Timestamp }, { description: 'Absent if none is set up' }),
  ),
  passkeys: Type.Array(Passkey),
  recoveryCodes: Type.Integer({ description: 'How many recovery codes have not been used' }),
});
export type SecondFactors = Static<typeof SecondFactors>;

const account = { tag: 'Account', access: 'session' } as const;

export const getSecondFactors = defineRoute({
  ...account,
  id: 'getSecondFactors',
  summary: 'Read your second factors',
  description: 'They apply to signing in with the password, not to signing in through a directory.',
  method: 'GET',
  path: '/api/auth/second-factors',
  status: 200,
  reply: SecondFactors,
  problems: ['forbidden'],
});

export const startAuthenticatorApp = defineRoute({
  ...account,
  id: 'startAuthenticatorApp',
  summary: 'Start to set up an authenticator app',
  description:
    'Requires a recent confirmation of identity. Returns a new secret for time-based codes (RFC 6238). It has no effect ' +
    'until a code from the app confirms it, and replaces an earlier one that was not confirmed.',
  method: 'POST',
  path: '/api/auth/authenticator-app',
  status: 200,
  reply: Type.Object({
    secret: Type.String({ description: 'In base 32, to enter by hand' }),
    uri: Type.String({ description: 'The URI `otpauth://totp/…` to show as a QR code' }),
  }),
  problems: ['confirmation_required', 'forbidden'],
});

export const confirmAuthenticatorApp = defineRoute({
  ...account,
  id: 'confirmAuthenticatorApp',
  summary: 'Set up the authenticator app with one of its codes',
  description:
    'Requires a recent confirmation of identity. Replaces the app that was set up before. The first second factor also ' +
    'creates recovery codes, and ends your other sessions, which started without it.',
  method: 'POST',
  path: '/api/auth/authenticator-app/confirm',
  body: Type.Object({ code: CodeProof.properties.code }),
  status: 200,
  reply: Type.Object({
    recoveryCodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Ten codes, returned only once; absent if you have codes' }),
    ),
    endedSessions: Type.Integer({ description: 'How many other sessions were ended' }),
  }),
  problems: ['confirmation_required', 'forbidden', 'invalid_credentials', 'not_found'],
});

export const removeAuthenticatorApp = defineRoute({
  ...account,
  id: 'removeAuthenticatorApp',
  summary: 'Remove the authenticator app',
  description:
    'Requires a recent confirmation of identity. Without any second factor, the recovery codes are deleted, too.',
  method: 'DELETE',
  path: '/api/auth/authenticator-app',
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const replaceAccountRecoveryCodes = defineRoute({
  ...account,
  id: 'replaceAccountRecoveryCodes',
  summary: 'Create ten recovery codes for your second factor, replacing the earlier ones',
  description:
    'Requires a recent confirmation of identity, and a second factor. The codes are returned only once, and each works ' +
    'once, in place of the second factor.',
  method: 'POST',
  path: '/api/auth/recovery-codes',
  status: 200,
  reply: Type.Object({ items: Type.Array(Type.String()) }),
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const signInBySecondFactor = defineRoute({
  id: 'signInBySecondFactor',
  tag: 'Sessions',
  summary: 'Complete a sign-in with a second factor',
  description:
    'For the browser that entered the password within the last ten minutes, by the cookie that came with ' +
    '`second_factor_required`. Each sign-in allows five attempts; then it has to start again with the password. A code works once, and so does what ' +
    'a passkey signs.',
  method: 'POST',
  path: '/api/auth/sign-in/second-factor',
  access: 'public',
  body: SecondFactorProof,
  status: 200,
  reply: SignedIn,
  problems: ['invalid_credentials', 'sign_in_expired', 'sign_in_refused', 'too_many_attempts'],
});
