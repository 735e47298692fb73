import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { currentLocale } from '#shared/region/region.ts';
import { geometryOfMap, type MapName } from './geometry.ts';
import { stateCodes } from './us-states.ts';

/** The regions of a map, and what they are called. */
export interface Regions {
  /** Returns the code of the region that a value names, by a code or a name in several languages; undefined if there is none. */
  readonly find: (value: unknown) => string | undefined;
  /** Returns the name of a region in the language of the reader. */
  readonly nameOf: (code: string) => string;
}

/** The languages in which countries are found by name, in addition to that of the organization. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];

/** Names that people use, and that neither the map nor Intl has; by alpha-2 code. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates'],
  BA: ['Bosnia'],
  BN: ['Brunei Darussalam'],
  BO: ['Plurinational State of Bolivia'],
  CD: ['DR Congo', 'Democratic Republic of the Congo', 'Congo, Dem. Rep.', 'Zaire'],
  CG: ['Republic of the Congo', 'Congo, Rep.', 'Congo'],
  CI: ["Cote d'Ivoire", 'Ivory Coast', 'Elfenbeinküste'],
  CV: ['Cape Verde'],
  CZ: ['Czech Republic'],
  EG: ['Egypt, Arab Rep.'],
  FM: ['Federated States of Micronesia'],
  GB: ['UK', 'Great Britain', 'Britain', 'England', 'Großbritannien'],
  GR: ['EL'],
  IR: ['Islamic Republic of Iran', 'Iran, Islamic Rep.'],
  KP: ["Democratic People's Republic of Korea", 'Korea, Dem. Rep.'],
  KR: ['Republic of Korea', 'Korea, Rep.', 'Korea'],
  LA: ["Lao People's Democratic Republic", 'Lao PDR'],
  MD: ['Republic of Moldova'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  NL: ['Holland', 'The Netherlands'],
  PS: ['Palestine', 'State of Palestine'],
  RU: ['Russian Federation'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland'],
  TR: ['Turkey'],
  TW: ['Taiwan, Province of China'],
  TZ: ['United Republic of Tanzania'],
  US: ['USA', 'U.S.', 'U.S.A.', 'United States of America', 'America'],
  VA: ['Holy See', 'Vatican'],
  VE: ['Bolivarian Republic of Venezuela'],
  VN: ['Viet Nam'],
};

const byMap = new Map<string, Regions>();

/** Returns the regions of a map, with the names of the current locale. */
export function regionsOf(map: MapName): Regions {
  const key = `${map} ${currentLocale() ?? ''}`;
  const regions = byMap.get(key) ?? (map === 'world' ? countries() : states());
  byMap.set(key, regions);
  return regions;
}

function countries(): Regions {
  const { names, dots } = geometryOfMap('world');
  const own = new Intl.DisplayNames(currentLocale(), { type: 'region' });
  const writers = [own, ...languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }))];
  const kosovo = ['XK', 'XKX', 'Kosovo'];
  const alpha2 = new Map<string, string>();
  const index = new Map<string, string>();
  const add = (name: string | undefined, code: string) => {
    const key = keyOf(name ?? '');
    if (key !== '' && !index.has(key)) index.set(key, code);
  };
  const all = [...codes, kosovo].map(([two = '', three = '', code = '']) => ({ two, three, code }));
  const shown = all.filter(({ code }) => names.has(code) || dots.has(code));
  for (const { two, three, code } of shown) {
    alpha2.set(code, two);
    for (const name of [two, three, code]) add(name, code);
  }
  // After all codes, so that a name in one language isn't the code of another country.
  for (const { two, code } of shown) {
    for (const name of [names.get(code), ...(otherNames[two] ?? [])]) add(name, code);
    for (const writer of writers) add(writer.of(two), code);
  }
  for (const [code, name] of names) add(name, code);
  return {
    find: (value) => findIn(index, value, 3),
    nameOf: (code) => {
      const two = alpha2.get(code);
      return (two === undefined ? undefined : own.of(two)) ?? names.get(code) ?? code;
    },
  };
}

function states(): Regions {
  const { names } = geometryOfMap('usStates');
  const index = new Map<string, string>();
  for (const [code, name] of names)
    for (const key of [code, stateCodes[code], `US-${stateCodes[code]}`, name])
      if (key !== undefined) index.set(keyOf(key), code);
  index.set(keyOf('Washington DC'), '11');
  return { find: (value) => findIn(index, value, 2), nameOf: (code) => names.get(code) ?? code };
}

/** The longest text that can be a name. */
const maxLength = 100;

function findIn(index: ReadonlyMap<string, string>, value: unknown, digits: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text.length > maxLength) return undefined;
  return index.get(/^\d+$/.test(text) ? text.padStart(digits, '0') : keyOf(text));
}

/** Returns a name without what people write in different ways: case, accents, punctuation and articles. */
const keyOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(the|and)\b/g, ' ')
    .replaceAll(/\bst\b/g, 'saint')
    .replaceAll(' ', '');
