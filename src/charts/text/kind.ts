import { t } from '#shared/language/messages.ts';
import { textFields } from '#shared/visualizations/text.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const text: VisualizationKind<OfKind<'text'>> = {
  name: t('Text'),
  fields: textFields,
  size: { w: 4, h: 2 },
  roles: () => ({ measures: [] }),
  create: ({ measures: [measure] }) => ({ text: measure === undefined ? '' : `{{${measure}}}` }),
};
