import { t } from '#shared/language/messages.ts';
import { heatMapFields } from '#shared/visualizations/heat-map.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const heatMap: VisualizationKind<OfKind<'heatMap'>> = {
  name: t('Heat map'),
  fields: heatMapFields,
  size: { w: 6, h: 6 },
  roles: ({ x, y, value, format }) => ({ category: x, split: y, measures: [{ field: value, format }] }),
  create({ category: x, split, measures: [value], pick }) {
    if (x === undefined || value === undefined) return undefined;
    const y = pick('any', split, [x, value]);
    return y === undefined ? undefined : { x, y, value };
  },
};
