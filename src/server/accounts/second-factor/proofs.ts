import type { SecondFactorMethod, SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { hashRecoveryCode } from '../../base/recovery-codes.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { AccountRow } from '../../organizations/users.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { recordFailedSignIn, type Later } from '../failed-sign-ins.ts';
import { limitAppCodes, limitCodes, type LimitedClient, type SignInLimits } from '../sign-in-limits.ts';
import { openAppSecret } from './secrets.ts';
import { countRecoveryCodes, findApp, useUpRecoveryCode, useUpStep } from './store.ts';
import { findStep } from './time-based-codes.ts';

/** Dependencies of checking a second factor. */
export interface SecondFactorDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly signInLimits: SignInLimits;
}

/** Returns what an account accepts in addition to its password; nothing if it has no second factor. */
export async function listMethods(reader: Reader, userId: string): Promise<SecondFactorMethod[]> {
  if (!(await hasSecondFactor(reader, userId))) return [];
  const hasCodes = (await countRecoveryCodes(reader, userId)) > 0;
  return ['authenticator_app', ...(hasCodes ? (['recovery_code'] as const) : [])];
}

/** Whether the password of an account is not enough to sign in. Recovery codes are no second factor by themselves. */
export const hasSecondFactor = async (reader: Reader, userId: string): Promise<boolean> =>
  ((await findApp(reader, userId))?.secret ?? null) !== null;

/** A proof that is correct, unless it was used before. */
type CheckedProof =
  | { readonly method: 'authenticator_app'; readonly step: number; readonly secret: string }
  | { readonly method: 'recovery_code'; readonly codeHash: string };

/** Checks a proof as far as that is possible outside of a transaction. Returns undefined if it is wrong. */
export async function checkProof(
  { database, clock, secretBox }: SecondFactorDependencies,
  userId: string,
  { method, code }: SecondFactorProof,
): Promise<CheckedProof | undefined> {
  if (method === 'recovery_code') return { method, codeHash: hashRecoveryCode(code) };
  const secret = (await findApp(database, userId))?.secret ?? null;
  if (secret === null) return undefined;
  const step = await findStep(openAppSecret(secretBox, userId, secret), code, clock());
  return step === undefined ? undefined : { method, step, secret };
}

/** Uses up a proof. Returns false if the account doesn't have it, or it was used before. */
export const useUpProof = (transaction: Transaction, userId: string, proof: CheckedProof): Promise<boolean> =>
  proof.method === 'recovery_code'
    ? useUpRecoveryCode(transaction, { userId, codeHash: proof.codeHash })
    : useUpStep(transaction, { userId, step: proof.step, secret: proof.secret });

/** The account of a proof, and the client that sends it. */
interface ProvenAccount {
  readonly account: Pick<AccountRow, 'id' | 'email'>;
  readonly client: LimitedClient;
}

/**
 * Runs an attempt to prove a second factor, within the limits of its method: codes from an app can be guessed, recovery codes
 * can't. So too many wrong codes from an app never block the person who has a recovery code.
 */
export const limitProofs = <Result>(
  { signInLimits }: Pick<SecondFactorDependencies, 'signInLimits'>,
  method: SecondFactorMethod,
  { account: { id: userId, email }, client }: ProvenAccount,
  attempt: () => Promise<Result>,
): Promise<Result> =>
  method === 'authenticator_app'
    ? limitAppCodes(signInLimits, { userId, email, ...client }, attempt)
    : limitCodes(signInLimits, { email, ...client }, attempt);

/** Records a wrong proof by someone who entered the correct password. */
export const recordWrongProof = (
  { database, clock, signInLimits }: Omit<SecondFactorDependencies, 'secretBox'>,
  { account, client: { address } }: ProvenAccount,
): Promise<void> =>
  recordFailedSignIn(database, clock, signInLimits, {
    code: 'wrong_second_factor',
    message: 'The password is correct, but the second factor is incorrect or was already used.',
    address,
    account,
  });

export const wrongProof = (): AtriumError =>
  new AtriumError('invalid_credentials', 'Incorrect code, or it was already used.');

/** Returns the error for a correct password of an account that has a second factor. */
export const secondFactorRequired = (
  methods: readonly SecondFactorMethod[],
  headers: Readonly<Record<string, string>> = {},
): AtriumError =>
  new AtriumError('second_factor_required', 'Your password is correct. Enter your second factor, too.', {
    extension: { methods },
    headers,
  });

/**
 * Requires and uses up a proof of the second factor if an account has one. Throws `second_factor_required` if none was sent,
 * `invalid_credentials` and `too_many_attempts`. Wrong proofs are recorded `later`. Called once the password is known to be correct.
 */
export async function requireSecondFactor(
  dependencies: SecondFactorDependencies,
  account: ProvenAccount['account'],
  { secondFactor, client }: { secondFactor: SecondFactorProof | undefined; client: LimitedClient },
  later: Later,
): Promise<void> {
  const { database } = dependencies;
  const methods = await listMethods(database, account.id);
  if (methods.length === 0) return;
  if (secondFactor === undefined) throw secondFactorRequired(methods);
  await limitProofs(dependencies, secondFactor.method, { account, client }, async () => {
    const checked = await checkProof(dependencies, account.id, secondFactor);
    if (
      checked !== undefined &&
      (await database.write((transaction) => useUpProof(transaction, account.id, checked)))
    ) {
      return;
    }
    later(() => recordWrongProof(dependencies, { account, client }));
    throw wrongProof();
  });
}
