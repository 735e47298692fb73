import { t } from '#shared/language/messages.ts';
import { numberFields } from '#shared/visualizations/number.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const number: VisualizationKind<OfKind<'number'>> = {
  name: t('Number'),
  fields: numberFields,
  size: { w: 3, h: 2 },
  roles: ({ value, format }) => ({ measures: [{ field: value, format }] }),
  create: ({ measures: [value] }) => (value === undefined ? undefined : { value }),
};
