import type { Token } from '#contract/credentials/tokens.ts';

const dayMs = 86_400_000;
/** How much the clock of the browser may be ahead of the server's when the longest expiry is chosen. */
const clockSkewMs = 5 * 60_000;

const usual = [7, 30, 90, 365];

/** Returns after how many days people can let a token expire: the usual choices, the longest, and that of another token. */
export const expiryChoices = (maxDays: number, another?: number): number[] =>
  [...new Set([...usual, maxDays, ...(another === undefined ? [] : [another])])]
    .filter((days) => days <= maxDays)
    .toSorted((one, other) => one - other);

/** Returns the choice that is selected at first: that of another token, or else 30 days, if it is permitted. */
export const firstChoice = (maxDays: number, another = 30): number => Math.min(another, maxDays);

/** Returns for how many days a token was created. */
export const daysOf = ({ createdAt, expiresAt }: Pick<Token, 'createdAt' | 'expiresAt'>): number =>
  Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / dayMs));

/** Returns when a token expires that is valid for some days. */
export const expiryAfter = (days: number, maxDays: number, now: number): string =>
  new Date(Math.min(now + days * dayMs, lastExpiry(maxDays, now))).toISOString();

/** Returns when a token expires that is valid until the end of a day, such as `2027-01-31`, as far as it is permitted. */
export const expiryAtEndOf = (day: string, maxDays: number, now: number): string =>
  new Date(Math.min(new Date(`${day}T23:59:59`).getTime(), lastExpiry(maxDays, now))).toISOString();

const lastExpiry = (maxDays: number, now: number): number => now + maxDays * dayMs - clockSkewMs;

/** Returns a day of the browser's calendar, some days from now, as the value of a date field. */
export function dayFromNow(days: number, now: number): string {
  const date = new Date(now + days * dayMs);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
