import { Type, type Static } from 'typebox';
import { Problem } from '../problem.ts';

/** What a person proves in addition to the password. */
export const SecondFactorMethod = Type.Enum(['authenticator_app', 'recovery_code']);
export type SecondFactorMethod = Static<typeof SecondFactorMethod>;

/** A code from an authenticator app, or a recovery code. */
export const SecondFactorProof = Type.Object(
  {
    method: SecondFactorMethod,
    code: Type.String({ maxLength: 100, description: 'Spaces and hyphens don’t matter' }),
  },
  { description: 'The proof of the second factor, if the account has one' },
);
export type SecondFactorProof = Static<typeof SecondFactorProof>;

/** The problem of a sign-in whose password is correct, but that needs a second factor. */
export const SecondFactorRequired = Type.Object({
  ...Problem.properties,
  methods: Type.Array(SecondFactorMethod, { description: 'What the account accepts' }),
});
export type SecondFactorRequired = Static<typeof SecondFactorRequired>;
