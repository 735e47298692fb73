import { noCurrency } from './currencies.ts';
import { readersLocale, type OrganizationLocale } from './locales.ts';

/** How an organization writes numbers, dates and amounts of money. */
export interface Region {
  /** A BCP 47 language tag, or `auto` for that of the reader's browser. */
  readonly locale: OrganizationLocale;
  /** A code of ISO 4217, or `XXX` for none. */
  readonly currency: string;
}

export const defaultRegion: Region = { locale: readersLocale, currency: noCurrency };

let current = defaultRegion;
let localeOfReader: string | undefined;

/**
 * Sets the region of everything that is written from now on. A page belongs to one organization, and so does a process that
 * exports; the server itself, which serves all organizations, never calls this.
 */
export function setRegion({ locale, currency }: Region): void {
  current = { locale, currency };
}

/** Sets the locale of organizations that leave it to the reader, as a BCP 47 tag; undefined for that of the environment. */
export const setReadersLocale = (locale: string | undefined): void => {
  localeOfReader = locale;
};

/** Returns the locale in which values are written; undefined for that of the environment, as Intl takes it. */
export const currentLocale = (): string | undefined =>
  current.locale === readersLocale ? localeOfReader : current.locale;

/** Returns the currency of amounts that name none; undefined if there is none. */
export const currentCurrency = (): string | undefined =>
  current.currency === noCurrency ? undefined : current.currency;
