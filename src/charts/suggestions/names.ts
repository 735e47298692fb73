const maxNameLength = 200;
/** A phrase has at most this many words and numbers, such as “day of week”. */
const maxWords = 3;

/** Returns the words and numbers of a name in lower case: they are separated by anything else, or by a capital letter. */
const wordsIn = (name: string): string[] =>
  name
    .slice(0, maxNameLength)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .match(/[a-zäöüß]+|\d+/g) ?? [];

/** Returns a function that finds one of several phrases, which are separated by spaces, or its plural in a name. */
function named(list: string): (name: string) => boolean {
  const phrases = new Set(list.split(' ').flatMap((phrase) => [phrase, `${phrase}s`]));
  return (name) => {
    const words = wordsIn(name);
    return words.some((_, start) =>
      Array.from({ length: maxWords }, (_, more) => words.slice(start, start + more + 1).join('')).some(
        (phrase) => phrases.has(phrase),
      ),
    );
  };
}

const isKeyName = named('id uuid guid key zip plz zipcode postcode postalcode phone');
const isNumberOfSomething = named('nr no number code');

// What the names of columns mean, in English and German.

export const isIdentifierName = (name: string): boolean =>
  isKeyName(name) || isNumberOfSomething(wordsIn(name).slice(1).join(' '));
export const isYearName = named('year jahr yr');
/** Numbers that name a part of a year, a week or a day, or a range. */
export const isOrdinalName = named(
  'month quarter hour weekday week dow dayofweek monat quartal stunde wochentag woche bin bucket rank level',
);
export const isTargetName = named('target goal plan planned budget ziel soll');
export const isStartName = named('start started begin from since startdate starttime von beginn anfang');
export const isEndName = named('end ended finish finished to until due enddate endtime bis ende');
export const isProgressName = named('progress done complete completed fortschritt');
export const isSourceName = named('source from origin von quelle start');
export const isSinkName = named('target to destination goal nach ziel end');
export const isStageName = named('stage step phase funnel stufe schritt');
export const isShareName = named('percent percentage pct share rate ratio margin quote anteil prozent marge');
export const isCountryName = named('country countries nation land staat iso iso2 iso3 countrycode');
export const isStateName = named('state usstate bundesstaat statecode');
export const isLatitudeName = named('lat latitude breitengrad');
export const isLongitudeName = named('lon lng long longitude laengengrad längengrad');
