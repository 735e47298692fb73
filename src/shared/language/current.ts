let language = 'en';

/** Returns the language of messages, as a BCP 47 tag. */
export const currentLanguage = (): string => language;

/** Only for `setLanguage`, which sets the messages, too. */
export const setCurrentLanguage = (tag: string): void => {
  language = tag;
};
