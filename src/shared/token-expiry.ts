const dayMs = 86_400_000;

/** How many days before a token expires people are warned, the most urgent first. */
export const noticeDays = [7, 30] as const;
export type NoticeDays = (typeof noticeDays)[number];

interface Expiring {
  /** Of the types in the contract. */
  readonly type: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * Returns the notice that is due for a token: the smallest number of days within which it ends. Undefined if none is due, or if it has
 * ended. Nobody is warned about a token that was created for less than twice as long, nor a month before about a program that a person
 * can authorize again.
 */
export function dueNotice({ type, createdAt, expiresAt }: Expiring, now: number): NoticeDays | undefined {
  const end = Date.parse(expiresAt);
  const lifetimeMs = end - Date.parse(createdAt);
  if (end <= now) return undefined;
  return noticeDays.find(
    (days) =>
      end - now <= days * dayMs &&
      lifetimeMs >= 2 * days * dayMs &&
      (type !== 'authorization' || days === noticeDays[0]),
  );
}
