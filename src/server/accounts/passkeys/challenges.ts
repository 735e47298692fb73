import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { hashToken, newToken } from '../../base/credentials/tokens.ts';
import type { Database } from '../../storage/database.ts';
import { deleteChallenge, insertChallenge } from './challenge-store.ts';

/** How long a passkey has to sign a challenge. */
export const challengeMs = minutesMs(5);

/** What a passkey signs a challenge for. What it signed for one purpose is never accepted for another. */
export type ChallengePurpose = 'add' | 'sign_in' | 'second_step' | 'confirm' | 'link';

interface ChallengeDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** Who and what a challenge is for; without an account, the passkey says whose it is. */
interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  readonly userId: string | undefined;
}

/** A challenge of 256 random bits, and the token for the cookie of the browser that gets it. Both are in base64url. */
export interface NewChallenge {
  readonly challenge: string;
  readonly token: string;
}

export async function createChallenge(
  { database, clock }: ChallengeDependencies,
  { purpose, userId, userHandle }: ChallengeUse & { readonly userHandle?: string },
): Promise<NewChallenge> {
  const [challenge, token] = [newToken(), newToken()];
  await database.write((transaction) =>
    insertChallenge(transaction, {
      tokenHash: hashToken(token),
      challenge,
      purpose,
      userId: userId ?? null,
      userHandle: userHandle ?? null,
      expiresAt: timestamp(clock() + challengeMs),
    }),
  );
  return { challenge, token };
}

/**
 * Returns the challenge of a browser, or undefined if it has none, it has expired, or it is for another purpose or account. It is deleted in
 * any case: what was signed is checked once.
 */
export async function takeChallenge(
  { database, clock }: ChallengeDependencies,
  { token, purpose, userId }: ChallengeUse & { readonly token: string | undefined },
): Promise<{ challenge: string; userHandle: string | null } | undefined> {
  if (token === undefined) return undefined;
  const row = await database.write((transaction) => deleteChallenge(transaction, hashToken(token)));
  const isFor =
    row?.purpose === purpose && row.userId === (userId ?? null) && row.expiresAt > timestamp(clock());
  return isFor ? row : undefined;
}
