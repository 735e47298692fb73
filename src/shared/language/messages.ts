import { currentLanguage, setCurrentLanguage } from './current.ts';
import { formatMessage, type Values, type Wrap } from './format.ts';

/** What each English message is in another language. */
export type Catalog = Readonly<Record<string, string>>;

let catalog: Catalog = {};

/**
 * Sets the language of all messages that are written from now on, as a BCP 47 tag, and what English messages are in it. A page is in
 * one language, and so is a process that exports; the server itself, whose API is in English, never calls this.
 */
export function setLanguage(tag: string, messages: Catalog): void {
  setCurrentLanguage(tag);
  catalog = messages;
}

/**
 * Returns a message in the language of the page. Its key is the English text, in ICU MessageFormat if it has values:
 * `t('{count, plural, one {# row} other {# rows}} of {table}', { count, table })`.
 */
export function t(message: string, values?: Values<string | number>): string {
  const translated = translationOf(message);
  return values === undefined ? translated : formatMessage(translated, currentLanguage(), values).join('');
}

/** Returns the parts of a message that has values or elements which are no texts, such as links. */
export const partsOf = <Value>(
  message: string,
  values: Values<Value | string | number>,
  wrap: Wrap<Value>,
): readonly (string | Value)[] => formatMessage(translationOf(message), currentLanguage(), values, wrap);

/** Returns a text of the API in the language of the page, as it is if no catalog has it. */
export const translationOf = (message: string): string =>
  Object.hasOwn(catalog, message) ? (catalog[message] ?? message) : message;
