import { pieFields } from '#shared/visualizations/pie.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const pie: VisualizationKind<OfKind<'pie'>> = {
  name: 'Pie chart',
  fields: pieFields,
  roles: ({ category, value, format }) => ({ category, measures: [{ field: value, format }] }),
  create: ({ category, measures: [value] }) =>
    category === undefined || value === undefined ? undefined : { category, value },
};
