import { Type, type Static } from 'typebox';
import { Problem } from '../problem.ts';
import { PasskeyAssertion } from './passkey-assertion.ts';

/** What a person proves in addition to the password. */
export const SecondFactorMethod = Type.Enum(['passkey', 'authenticator_app', 'recovery_code']);
export type SecondFactorMethod = Static<typeof SecondFactorMethod>;

/** A code from an authenticator app, or a recovery code. */
export const CodeProof = Type.Object({
  method: Type.Enum(['authenticator_app', 'recovery_code']),
  code: Type.String({ maxLength: 100, description: 'Spaces and hyphens don’t matter' }),
});
export type CodeProof = Static<typeof CodeProof>;

/** A code, or what an authenticator signed with a passkey. */
export const SecondFactorProof = Type.Union(
  [CodeProof, Type.Object({ method: Type.Literal('passkey'), assertion: PasskeyAssertion })],
  { description: 'The proof of the second factor, if the account has one' },
);
export type SecondFactorProof = Static<typeof SecondFactorProof>;

/** The problem of a sign-in whose password is correct, but that needs a second factor. */
export const SecondFactorRequired = Type.Object({
  ...Problem.properties,
  methods: Type.Array(SecondFactorMethod, { description: 'What the account accepts' }),
});
export type SecondFactorRequired = Static<typeof SecondFactorRequired>;
