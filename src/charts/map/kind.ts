import { mapFields } from '#shared/visualizations/kind-fields.ts';
import type { ColumnChoice, OfKind, VisualizationKind } from '../kind.ts';
import { latitudeNames, longitudeNames } from './coordinate-names.ts';

/** Returns the first of the columns with these names that is a measure. */
const pickNamed = (pick: ColumnChoice['pick'], names: readonly string[]): string | undefined =>
  names.find((name) => pick('measure', name, []) === name);

export const map: VisualizationKind<OfKind<'map'>> = {
  name: 'Map',
  fields: mapFields,
  size: { w: 7, h: 6 },
  roles: ({ region, label, color, value, format }) => ({
    category: region ?? label,
    split: color,
    measures: value === undefined ? [] : [{ field: value, format }],
  }),
  create({ category, measures, pick }) {
    const latitude = pickNamed(pick, latitudeNames);
    const longitude = pickNamed(pick, longitudeNames);
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
    const [value] = measures;
    return category === undefined || value === undefined ? undefined : { region: category, value };
  },
};
