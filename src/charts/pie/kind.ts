import { t } from '#shared/language/messages.ts';
import { pieFields } from '#shared/visualizations/pie.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const pie: VisualizationKind<OfKind<'pie'>> = {
  name: t('Pie chart'),
  fields: pieFields,
  size: { w: 4, h: 5 },
  roles: ({ category, value, format }) => ({ category, measures: [{ field: value, format }] }),
  create: ({ category, measures: [value] }) =>
    category === undefined || value === undefined ? undefined : { category, value },
};
