import { Type, type Static } from 'typebox';

/** Bytes in base64url without padding. */
export const bytes = (maxLength: number, description: string) =>
  Type.String({
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-expected': 'bytes in base64url',
    description: `${description}, in base64url`,
  });

/** At most 1,023 bytes (Web Authentication, section 5.8.5). */
export const CredentialId = bytes(1_364, 'The credential ID');

/** What the browser was asked to do, and on which page. */
export const ClientData = bytes(8_000, 'What the browser was asked to do, as JSON');

/** What an authenticator signed with a passkey: the `AuthenticationResponseJSON` of Web Authentication, without its extensions. */
export const PasskeyAssertion = Type.Object(
  {
    id: CredentialId,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        authenticatorData: bytes(8_000, 'What the authenticator says, which it has signed'),
        signature: bytes(8_000, 'The signature'),
        userHandle: Type.Optional(bytes(100, 'The user handle of the passkey')),
      },
      { description: 'What the authenticator returned' },
    ),
  },
  { description: 'The `AuthenticationResponseJSON` of Web Authentication' },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
