import { stateCodes } from '../map/us-states.ts';

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

let known: ReadonlySet<string> | undefined;

/** Returns the codes and names of countries, in small letters, without the outlines of the map. */
function countries(): ReadonlySet<string> {
  if (known !== undefined) return known;
  const writers = ['en', 'de'].map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  );
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const names = codes.flatMap((code) => {
    const found = writers.flatMap((writer) => writer.of(code) ?? []);
    return found.length === 0 ? [] : [code, ...found];
  });
  known = new Set(
    [...names, 'USA', 'UK', 'Great Britain', 'Czech Republic'].map((name) => name.toLowerCase()),
  );
  return known;
}

/** How many of the values of a column have to be places. */
const minShare = 0.7;

const areMostly = (texts: readonly string[], isOne: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.filter(isOne).length >= texts.length * minShare;

/** Whether most of these texts are names or codes of countries. */
export const areCountries = (texts: readonly string[]): boolean =>
  areMostly(texts, (text) => countries().has(text.toLowerCase())) ||
  areMostly(texts, (text) => /^[A-Z]{3}$/.test(text));

const states: ReadonlySet<string> = new Set(Object.values(stateCodes));

/** Whether most of these texts are codes of states of the USA. */
export const areStates = (texts: readonly string[]): boolean => areMostly(texts, (text) => states.has(text));
