/** What columns of coordinates are called. */
const spellings = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [name, `${name.charAt(0).toUpperCase()}${name.slice(1)}`, name.toUpperCase()]);

export const latitudeNames = spellings(['latitude', 'lat', 'breitengrad', 'breite']);
export const longitudeNames = spellings(['longitude', 'lon', 'lng', 'long', 'laengengrad', 'längengrad']);
