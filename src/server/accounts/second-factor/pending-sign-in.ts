import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import { getAccountRow, lockAccount, toUser } from '../../organizations/users.ts';
import { startRecordedSession } from '../../sessions/recorded-session.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import type { Later } from '../failed-sign-ins.ts';
import { requestPasskey, type PasskeyDependencies, type PasskeyRequest } from '../passkeys/assertions.ts';
import { deleteExpiredChallenges } from '../passkeys/challenge-store.ts';
import { mayRecordFailure, type LimitedClient } from '../sign-in-limits.ts';
import { mailFailedSecondFactor, mailRecoveryCodeUsed, type MailDependencies } from './mails.ts';
import {
  countAttempt,
  deleteExpiredPendingSignIns,
  deletePendingSignIn,
  findPendingSignIn,
  insertPendingSignIn,
} from './pending-store.ts';
import {
  checkProof,
  limitProofs,
  recordWrongProof,
  useUpProof,
  wrongProof,
  type EnteredProof,
  type SecondFactorDependencies,
} from './proofs.ts';
import { countRecoveryCodes } from './store.ts';

/** How long people have for the second factor once the password was correct. */
const lifetimeMs = minutesMs(10);
/** How many wrong codes a sign-in allows before the password has to be entered again. */
const maxAttempts = 5;

/** Suspends a sign-in until the second factor is entered. Returns the token for the cookie of the browser; it gives access to nothing. */
export async function suspendSignIn(transaction: Transaction, clock: Clock, userId: string): Promise<string> {
  const token = newToken();
  const expiresAt = timestamp(clock() + lifetimeMs);
  await insertPendingSignIn(transaction, { tokenHash: hashToken(token), userId, expiresAt });
  return token;
}

/**
 * Completes a sign-in that waits for the second factor. Throws `sign_in_expired` if it has ended or had too many wrong codes,
 * `invalid_credentials` and `too_many_attempts`. Wrong codes are recorded `later`, and reported by email once there were too many.
 */
export async function completeSignIn(
  dependencies: SecondFactorDependencies & MailDependencies,
  {
    pendingToken,
    proof,
    challengeToken,
    client,
  }: EnteredProof & {
    pendingToken: string | undefined;
    client: LimitedClient & { userAgent: string | undefined };
  },
  later: Later,
): Promise<NewSession> {
  const { database, clock } = dependencies;
  const { tokenHash, userId } = await getPendingSignIn(dependencies, pendingToken);
  const account = await getAccountRow(database, userId);
  return limitProofs(dependencies, proof.method, { account, client }, async () => {
    // Counted before the check, so that attempts at the same time can't exceed the limit.
    const attempts = await database.write((transaction) =>
      countAttempt(transaction, { tokenHash, now: timestamp(clock()), limit: maxAttempts }),
    );
    if (attempts === undefined) throw secondStepExpired();
    const checked = await checkProof(
      dependencies,
      userId,
      { proof, challengeToken },
      { purpose: 'second_step', address: client.address },
    );
    const session =
      checked &&
      (await database.write(async (transaction) => {
        await lockAccount(transaction, userId);
        if (!(await useUpProof(transaction, clock, userId, checked))) return undefined;
        // A change of the password ends it.
        if (!(await deletePendingSignIn(transaction, tokenHash))) throw secondStepExpired();
        const { address, userAgent } = client;
        const origin = { method: 'password', address, userAgent } as const;
        return startRecordedSession(transaction, clock, toUser(account), origin, {
          secondFactor: proof.method,
        });
      }));
    if (session === undefined) {
      later(async () => {
        await recordWrongProof(dependencies, { account, client });
        if (attempts < maxAttempts || !(await mayRecordFailure(dependencies.signInLimits, `mail ${userId}`)))
          return;
        await mailFailedSecondFactor(dependencies, account.email);
      });
      throw wrongProof();
    }
    if (proof.method === 'recovery_code') {
      later(async () =>
        mailRecoveryCodeUsed(dependencies, account.email, await countRecoveryCodes(database, userId)),
      );
    }
    return session;
  });
}

/**
 * Returns the options with which the browser of a sign-in that waits for the second factor asks for a passkey. Throws `sign_in_expired`, and
 * `forbidden` if this server can't have passkeys.
 */
export async function requestSecondStepPasskey(
  dependencies: PasskeyDependencies,
  pendingToken: string | undefined,
): Promise<PasskeyRequest> {
  const { userId } = await getPendingSignIn(dependencies, pendingToken);
  return requestPasskey(dependencies, { purpose: 'second_step', userId });
}

/** Throws `sign_in_expired` if it has ended or had too many wrong codes. */
async function getPendingSignIn(
  { database, clock }: Pick<SecondFactorDependencies, 'database' | 'clock'>,
  pendingToken: string | undefined,
): Promise<{ tokenHash: string; userId: string }> {
  if (pendingToken === undefined) throw secondStepExpired();
  const tokenHash = hashToken(pendingToken);
  const now = timestamp(clock());
  const userId = await findPendingSignIn(database, { tokenHash, now, limit: maxAttempts });
  if (userId === undefined) throw secondStepExpired();
  return { tokenHash, userId };
}

const secondStepExpired = (): AtriumError =>
  new AtriumError(
    'sign_in_expired',
    'It took longer than ten minutes, there were too many wrong codes, or the sign-in started in another browser. ' +
      'Enter your password again.',
  );

/** Deletes the sign-ins whose second factor was not entered in time, and the challenges that no passkey signed. */
export async function sweepPendingSignIns(database: Database, clock: Clock): Promise<void> {
  const now = timestamp(clock());
  await database.writeSlowly((transaction) => deleteExpiredPendingSignIns(transaction, now));
  await database.writeSlowly((transaction) => deleteExpiredChallenges(transaction, now));
}
