/** The languages of the interface, each by its own name, which is the same in all of them. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

/** Returns whether a text is the tag of a language of the interface. */
export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text);

/** Returns the first of several language tags, such as `de-AT`, that is in a language of the interface. */
export const firstLanguageOf = (tags: readonly string[]): Language | undefined =>
  tags.map((tag) => tag.split('-', 1)[0]?.toLowerCase()).find(isLanguage);
