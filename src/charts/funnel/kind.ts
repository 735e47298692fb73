import { t } from '#shared/language/messages.ts';
import { stepFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const funnel: VisualizationKind<OfKind<'funnel'>> = {
  name: t('Funnel'),
  fields: stepFields,
  size: { w: 5, h: 5 },
  roles: ({ category, value, format }) => ({ category, measures: [{ field: value, format }] }),
  create: ({ category, measures: [value] }) =>
    category === undefined || value === undefined ? undefined : { category, value },
};
