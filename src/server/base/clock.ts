/** Tells the time; replaced in tests. Milliseconds since the epoch. */
export type Clock = () => number;

/** RFC 3339 in UTC with milliseconds: such texts sort as the times they stand for. */
export const timestamp = (timeMs: number): string => new Date(timeMs).toISOString();

export const minutesMs = (minutes: number): number => minutes * 60_000;
export const hoursMs = (hours: number): number => hours * 3_600_000;
export const daysMs = (days: number): number => days * 86_400_000;
