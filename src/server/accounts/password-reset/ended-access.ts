import type { Transaction } from '../../storage/database.ts';

/** What gave access without a sign-in, and ended with a reset of the password: the organization of each. */
export interface EndedAccess {
  /** Of personal tokens, and of authorizations of programs. */
  readonly tokens: readonly string[];
  readonly displayLinks: readonly string[];
}

/** Ends what a person has created in any organization that gives access without a sign-in. */
export type EndAccessOfPerson = (transaction: Transaction, userId: string) => Promise<EndedAccess>;

/** Returns how much of it ended, in one organization or in all. */
export function countEnded(
  { tokens, displayLinks }: EndedAccess,
  organizationId?: string,
): { endedTokens: number; endedDisplayLinks: number } {
  const count = (ids: readonly string[]): number =>
    organizationId === undefined ? ids.length : ids.filter((id) => id === organizationId).length;
  return { endedTokens: count(tokens), endedDisplayLinks: count(displayLinks) };
}
