import { t } from '#shared/language/messages.ts';
import { scatterFields } from '#shared/visualizations/scatter.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const scatter: VisualizationKind<OfKind<'scatter'>> = {
  name: t('Scatter chart'),
  fields: scatterFields,
  size: { w: 6, h: 6 },
  roles: ({ x, y, color }) => ({ category: x, split: color, measures: [{ field: y }] }),
  create({ category, measures: [y], pick }) {
    if (y === undefined) return undefined;
    const x = pick('position', category, [y]);
    return x === undefined ? undefined : { x, y };
  },
};
