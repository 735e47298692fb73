import type { CodeProof, SecondFactorMethod } from '#contract/accounts/second-factor-proof.ts';
import { ApiProblem } from '../../app/api.ts';
import type { FieldReader } from './Form.tsx';

/** Returns what an account accepts if `error` is that its password is correct, but needs a second factor; otherwise undefined. */
export const requiredMethods = (error: unknown): readonly SecondFactorMethod[] | undefined =>
  error instanceof ApiProblem && error.code === 'second_factor_required'
    ? // Sound because the contract says so for this code.
      (error.problem['methods'] as readonly SecondFactorMethod[])
    : undefined;

export type CodeMethod = CodeProof['method'];

/** Whether an account accepts a code that people enter. */
export const acceptsCode = (methods: readonly SecondFactorMethod[]): boolean =>
  methods.some((method) => method !== 'passkey');

/** Returns the proof that was entered in a `SecondFactorField`. */
export const readProof = (field: FieldReader): CodeProof => ({
  // Sound because it is a hidden field.
  method: field('method') as CodeMethod,
  code: field('code'),
});
