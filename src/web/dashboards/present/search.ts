import type { Search } from '../../ui/browser/search.ts';
import { filtersOf } from '../view/search.ts';

/** How long a slide is shown if the URL doesn't say it, and at least and at most, in seconds. */
export const defaultSeconds = 30;
export const minSeconds = 5;
export const maxSeconds = 3_600;

/** What the URL of a presentation contains: how many seconds a slide is shown, and the values of filters. */
export type PresentSearch = Search & IntervalSearch;

interface IntervalSearch {
  readonly 'present-every'?: string | undefined;
}

export function readPresentSearch(search: Readonly<Record<string, unknown>>): PresentSearch {
  // Sound because `parseSearch` returns nothing else.
  return { ...filtersOf(search as Search), ...readInterval(search) };
}

export const readInterval = ({ 'present-every': every }: Readonly<Record<string, unknown>>): IntervalSearch =>
  isInterval(every) ? { 'present-every': every } : {};

/** Returns how long a slide is shown, in seconds. */
export const secondsOf = ({ 'present-every': every }: IntervalSearch): number =>
  every === undefined ? defaultSeconds : Number(every);

const isInterval = (every: unknown): every is string =>
  typeof every === 'string' &&
  /^\d{1,4}$/.test(every) &&
  Number(every) >= minSeconds &&
  Number(every) <= maxSeconds;
