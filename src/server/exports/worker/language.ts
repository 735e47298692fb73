import type { Language } from '#shared/language/languages.ts';
import { setLanguage, type Catalog } from '#shared/language/messages.ts';

/** Loads the messages of each language but English, whose texts are in the code. */
const catalogs: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: Catalog }>>> = {
  de: () => import('#shared/language/catalogs/de.json', { with: { type: 'json' } }),
};

/** Sets the language of the words of this process. It has to be awaited before modules are loaded that have words in their constants. */
export async function startLanguage(language: Language): Promise<void> {
  if (language !== 'en') setLanguage(language, (await catalogs[language]()).default);
}
