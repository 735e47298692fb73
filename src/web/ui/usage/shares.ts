/** From which share of a limit pages warn. */
const warningShare = 0.8;

interface Use {
  readonly used: number;
  readonly limit: number;
}

/** Returns how much of a limit is used, from 0 to 1. */
export const shareOf = ({ used, limit }: Use): number => Math.min(1, used / limit);

/** Whether a limit is nearly or fully used. */
export const isNearLimit = (use: Use): boolean => shareOf(use) >= warningShare;
