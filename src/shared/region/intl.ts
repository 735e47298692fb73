import { currentLanguage } from '../language/current.ts';
import { currentLocale } from './region.ts';

/** Returns a function that creates each format once per locale: creating one takes longer than drawing a small chart. */
function remembered<Options extends object, Format>(
  create: (locale: string | undefined, options: Options | undefined) => Format,
  current: () => string | undefined = currentLocale,
): (options?: Options, locale?: string) => Format {
  const formats = new Map<string, Format>();
  return (options, locale = current()) => {
    const key = JSON.stringify([locale, options]);
    const known = formats.get(key) ?? create(locale, options);
    formats.set(key, known);
    return known;
  };
}

/** Returns a format of numbers in the current locale, or another one. */
export const numberFormat = remembered(
  (locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options),
);

/** Returns a format of dates and times in the current locale, or another one. */
export const dateFormat = remembered(
  (locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options),
);

/** Returns a format of times relative to now, such as “2 days ago”: words, which are in the language of messages. */
export const relativeTimeFormat = remembered(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) =>
    new Intl.RelativeTimeFormat(locale, options),
  currentLanguage,
);

/** Returns a format of lists, such as “a, b or c”, in the language of messages. */
export const listFormat = remembered(
  (locale, options: Intl.ListFormatOptions | undefined) => new Intl.ListFormat(locale, options),
  currentLanguage,
);

/** Returns the order of texts in the current locale. */
export const collator = remembered(
  (locale, options: Intl.CollatorOptions | undefined) => new Intl.Collator(locale, options),
);
