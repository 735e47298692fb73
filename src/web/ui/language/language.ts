import { currentLanguage } from '#shared/language/current.ts';
import { firstLanguageOf, isLanguage, type Language } from '#shared/language/languages.ts';
import { setLanguage, type Catalog } from '#shared/language/messages.ts';
import { readersLocale, type OrganizationLocale } from '#shared/region/locales.ts';
import { setReadersLocale } from '#shared/region/region.ts';

const choiceKey = 'atrium:language';
const organizationKey = 'atrium:organization-language';

/** Loads the messages of each language but English, whose texts are in the code. */
const catalogs: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: Catalog }>>> = {
  de: () => import('#shared/language/catalogs/de.json'),
};

const stored = (key: string): Language | undefined => {
  const value = localStorage.getItem(key);
  return isLanguage(value) ? value : undefined;
};

/** Returns the language that was chosen in this browser; undefined if it was left to the organization and the browser. */
export const chosenLanguage = (): Language | undefined => stored(choiceKey);

/** Chooses the language of the interface in this browser, or leaves it to the organization and the browser; reloads the page. */
export function chooseLanguage(language: Language | undefined): void {
  if (language === undefined) localStorage.removeItem(choiceKey);
  else localStorage.setItem(choiceKey, language);
  location.reload();
}

/** A person's own choice, the language of the organization that was opened last, one of the browser's languages, or English. */
const wantedLanguage = (): Language =>
  chosenLanguage() ?? stored(organizationKey) ?? firstLanguageOf(navigator.languages) ?? 'en';

/** Returns whether Intl accepts a tag. Browsers pass some of the system's names on, such as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * Loads the messages of the language of this page. It has to be awaited before any module is loaded that has texts in its
 * constants. If they can't be loaded, the page is in English.
 */
export async function startLanguage(): Promise<void> {
  const wanted = wantedLanguage();
  try {
    if (wanted !== 'en') setLanguage(wanted, (await catalogs[wanted]()).default);
  } catch {
    // The page works in English, and its next load tries again.
  }
  const language = currentLanguage();
  document.documentElement.lang = language;
  // Dates and numbers of organizations that leave them to the browser are in the language of the texts around them.
  const locale = navigator.languages.find((tag) => firstLanguageOf([tag]) === language && isTag(tag));
  setReadersLocale(locale ?? (language === 'en' ? undefined : language));
}

/** Remembers the language of the organization that is opened. Reloads the page if it should be in another language. */
export function followOrganization(locale: OrganizationLocale): void {
  const language = (locale === readersLocale ? undefined : firstLanguageOf([locale])) ?? '';
  if (language === (localStorage.getItem(organizationKey) ?? '')) return;
  localStorage.setItem(organizationKey, language);
  if (wantedLanguage() !== currentLanguage()) location.reload();
}
