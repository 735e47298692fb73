import { t } from '#shared/language/messages.ts';
import { gaugeFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const gauge: VisualizationKind<OfKind<'gauge'>> = {
  name: t('Gauge'),
  fields: gaugeFields,
  size: { w: 3, h: 4 },
  roles: ({ value, format }) => ({ measures: [{ field: value, format }] }),
  create: ({ measures: [value] }) => (value === undefined ? undefined : { value }),
};
