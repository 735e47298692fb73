const defaultLanguage = 'en-US';
/** Longer than any language tag that people use. */
const maxLength = 35;

/** Returns the first language of an Accept-Language header (RFC 9110, section 12.5.4); English if there is none. */
export function firstLanguage(header: string | undefined): string {
  const tag = header?.slice(0, maxLength).split(/[,;]/, 1)[0]?.trim() ?? '';
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? defaultLanguage;
  } catch {
    return defaultLanguage;
  }
}
