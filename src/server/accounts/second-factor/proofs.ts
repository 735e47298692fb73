import type { SecondFactorMethod, SecondFactorProof } from '#contract/accounts/second-factor-proof.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { hashRecoveryCode } from '../../base/credentials/recovery-codes.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import type { AccountRow } from '../../organizations/users.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { recordFailedSignIn, wrongPasskeyMessage, type Later } from '../failed-sign-ins.ts';
import { limitAppCodes, limitCodes, type LimitedClient, type SignInLimits } from '../sign-in-limits.ts';
import { checkAssertion, useUpAssertion, type CheckedAssertion } from '../passkeys/assertions.ts';
import type { ChallengePurpose } from '../passkeys/challenges.ts';
import { listPasskeys } from '../passkeys/listing.ts';
import { openAppSecret } from './secrets.ts';
import { countRecoveryCodes, findApp, useUpRecoveryCode, useUpStep } from './store.ts';
import { findStep } from './time-based-codes.ts';

/** Dependencies of checking a second factor. */
export interface SecondFactorDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly signInLimits: SignInLimits;
  readonly publicUrl: string;
}

/**
 * Returns what an account accepts in addition to its password; nothing if it has no second factor. If none of its second factors
 * can be used, because all are passkeys for another host, the recovery codes are named even if none is left.
 */
export async function listMethods(
  reader: Reader,
  userId: string,
  publicUrl: string,
): Promise<SecondFactorMethod[]> {
  const hasApp = await hasAuthenticatorApp(reader, userId);
  const passkeys = await listPasskeys(reader, userId, publicUrl);
  if (!hasApp && passkeys.length === 0) return [];
  const methods: SecondFactorMethod[] = [];
  if (passkeys.some(({ isUsable }) => isUsable)) methods.push('passkey');
  if (hasApp) methods.push('authenticator_app');
  const hasCodes = (await countRecoveryCodes(reader, userId)) > 0;
  if (hasCodes || methods.length === 0) methods.push('recovery_code');
  return methods;
}

const hasAuthenticatorApp = async (reader: Reader, userId: string): Promise<boolean> =>
  ((await findApp(reader, userId))?.secret ?? null) !== null;

/** A proof as a browser sent it, with the cookie that says which challenge a passkey signed. */
export interface EnteredProof {
  readonly proof: SecondFactorProof;
  readonly challengeToken: string | undefined;
}

/** A proof that is correct, unless it was used before. */
type CheckedProof =
  | { readonly method: 'authenticator_app'; readonly step: number; readonly secret: string }
  | { readonly method: 'recovery_code'; readonly codeHash: string }
  | CheckedAssertion;

/** Checks a proof as far as that is possible outside of a transaction. Returns undefined if it is wrong. */
export async function checkProof(
  dependencies: SecondFactorDependencies,
  userId: string,
  { proof, challengeToken }: EnteredProof,
  { purpose, address }: { purpose: ChallengePurpose; address: string },
): Promise<CheckedProof | undefined> {
  const { database, clock, secretBox } = dependencies;
  if (proof.method === 'passkey') {
    const { assertion } = proof;
    return checkAssertion(dependencies, { assertion, challengeToken, purpose, userId, address });
  }
  const { method, code } = proof;
  if (method === 'recovery_code') return { method, codeHash: hashRecoveryCode(code) };
  const secret = (await findApp(database, userId))?.secret ?? null;
  if (secret === null) return undefined;
  const step = await findStep(openAppSecret(secretBox, userId, secret), code, clock());
  return step === undefined ? undefined : { method, step, secret };
}

/** Uses up a proof. Returns false if the account doesn't have it, or it was used before. */
export function useUpProof(
  transaction: Transaction,
  clock: Clock,
  userId: string,
  proof: CheckedProof,
): Promise<boolean> {
  switch (proof.method) {
    case 'passkey':
      return useUpAssertion(transaction, clock, proof);
    case 'recovery_code':
      return useUpRecoveryCode(transaction, { userId, codeHash: proof.codeHash });
    case 'authenticator_app':
      return useUpStep(transaction, { userId, step: proof.step, secret: proof.secret });
  }
}

/** The account of a proof, and the client that sends it. */
interface ProvenAccount {
  readonly account: Pick<AccountRow, 'id' | 'email'>;
  readonly client: LimitedClient;
}

/**
 * Runs an attempt to prove a second factor, within the limits of its method: codes from an app can be guessed, the others
 * can't. So too many wrong codes from an app never block the person who has a recovery code or a passkey.
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
  { database, clock, signInLimits }: Omit<SecondFactorDependencies, 'secretBox' | 'publicUrl'>,
  { account, client: { address } }: ProvenAccount,
): Promise<void> =>
  recordFailedSignIn(database, clock, signInLimits, {
    code: 'wrong_second_factor',
    message: 'The password is correct, but the second factor is incorrect or was already used.',
    address,
    account,
  });

/** Records a wrong response of a passkey, for which nobody has to know the password. */
const recordWrongPasskey = (
  { database, clock, signInLimits }: Pick<SecondFactorDependencies, 'database' | 'clock' | 'signInLimits'>,
  { account, client: { address } }: ProvenAccount,
): Promise<void> =>
  recordFailedSignIn(database, clock, signInLimits, {
    code: 'wrong_passkey',
    message: wrongPasskeyMessage,
    address,
    account,
  });

export const wrongProof = (): AtriumError =>
  new AtriumError('invalid_credentials', 'Incorrect code or passkey, or it was already used.');

/** Returns the error for a correct password of an account that has a second factor. */
export const secondFactorRequired = (
  methods: readonly SecondFactorMethod[],
  headers: Readonly<Record<string, string>> = {},
): AtriumError =>
  new AtriumError('second_factor_required', 'Your password is correct. Enter your second factor, too.', {
    extension: { methods },
    headers,
  });

/** What someone sent to prove a second factor, and what for. */
interface ProofInput<Proof> {
  readonly secondFactor: Proof;
  readonly challengeToken: string | undefined;
  readonly purpose: ChallengePurpose;
  readonly client: LimitedClient;
}

/**
 * Requires and uses up a proof of the second factor if an account has one. Throws `second_factor_required` if none was sent,
 * and the errors of `requireProofOf`. Called once the password is known to be correct.
 */
export async function requireSecondFactor(
  dependencies: SecondFactorDependencies,
  account: ProvenAccount['account'],
  { secondFactor, ...input }: ProofInput<SecondFactorProof | undefined>,
  later: Later,
): Promise<void> {
  const methods = await listMethods(dependencies.database, account.id, dependencies.publicUrl);
  if (methods.length === 0) return;
  if (secondFactor === undefined) throw secondFactorRequired(methods);
  await requireProofOf(dependencies, account, { secondFactor, ...input }, later);
}

/** Uses up a proof. Throws `invalid_credentials` and `too_many_attempts`. Wrong proofs are recorded `later`. */
export const requireProofOf = (
  dependencies: SecondFactorDependencies,
  account: ProvenAccount['account'],
  { secondFactor: proof, challengeToken, purpose, client }: ProofInput<SecondFactorProof>,
  later: Later,
): Promise<void> =>
  limitProofs(dependencies, proof.method, { account, client }, async () => {
    const { database, clock } = dependencies;
    const { id: userId } = account;
    const use = { purpose, address: client.address };
    const checked = await checkProof(dependencies, userId, { proof, challengeToken }, use);
    const isUsed =
      checked !== undefined &&
      (await database.write((transaction) => useUpProof(transaction, clock, userId, checked)));
    if (isUsed) return;
    later(() =>
      proof.method === 'passkey'
        ? recordWrongPasskey(dependencies, { account, client })
        : recordWrongProof(dependencies, { account, client }),
    );
    throw wrongProof();
  });
