import { t } from '#shared/language/messages.ts';
import { sankeyFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const sankey: VisualizationKind<OfKind<'sankey'>> = {
  name: t('Sankey diagram'),
  fields: sankeyFields,
  size: { w: 7, h: 6 },
  roles: ({ source, target, value, format }) => ({
    category: source,
    split: target,
    measures: [{ field: value, format }],
  }),
  create({ category: source, split, measures: [value], pick }) {
    if (source === undefined || value === undefined) return undefined;
    const target = pick('any', split, [source, value]);
    return target === undefined ? undefined : { source, target, value };
  },
};
