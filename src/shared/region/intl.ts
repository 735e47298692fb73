import { currentLocale } from './region.ts';

/** Returns a function that creates each format once per locale: creating one takes longer than drawing a small chart. */
function remembered<Options extends object, Format>(
  create: (locale: string | undefined, options: Options | undefined) => Format,
): (options?: Options, locale?: string) => Format {
  const formats = new Map<string, Format>();
  return (options, locale = currentLocale()) => {
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

/** Returns a format of times relative to now, such as “2 days ago”, in the current locale. */
export const relativeTimeFormat = remembered(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) =>
    new Intl.RelativeTimeFormat(locale, options),
);

/** Returns the order of texts in the current locale. */
export const collator = remembered(
  (locale, options: Intl.CollatorOptions | undefined) => new Intl.Collator(locale, options),
);
