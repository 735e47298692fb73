import { numberFormat } from '#shared/region/intl.ts';

/** Returns a count with its noun: `1 dashboard`, `3 dashboards`. */
export const counted = (count: number, noun: string): string =>
  `${numberFormat().format(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Returns a number of people: `1 person`, `3 people`. */
export const countedPeople = (count: number): string =>
  count === 1 ? '1 person' : `${numberFormat().format(count)} people`;

/** Returns a noun with its indefinite article: `an admin`, `a viewer`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
