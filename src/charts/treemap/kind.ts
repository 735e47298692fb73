import { t } from '#shared/language/messages.ts';
import { treemapFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const treemap: VisualizationKind<OfKind<'treemap'>> = {
  name: t('Treemap'),
  fields: treemapFields,
  size: { w: 6, h: 6 },
  roles: ({ category, group, value, format }) => ({
    category,
    split: group,
    measures: [{ field: value, format }],
  }),
  create: ({ category, split, measures: [value] }) =>
    category === undefined || value === undefined
      ? undefined
      : { category, value, ...(split !== undefined && { group: split }) },
};
