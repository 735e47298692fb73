import { t } from '#shared/language/messages.ts';
import { histogramFields } from '#shared/visualizations/histogram.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const histogram: VisualizationKind<OfKind<'histogram'>> = {
  name: t('Histogram'),
  fields: histogramFields,
  size: { w: 6, h: 5 },
  roles: ({ value }) => ({ measures: [{ field: value }] }),
  create: ({ measures: [value] }) => (value === undefined ? undefined : { value }),
};
