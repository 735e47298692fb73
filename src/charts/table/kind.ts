import { t } from '#shared/language/messages.ts';
import { tableFields } from '#shared/visualizations/table.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const table: VisualizationKind<OfKind<'table'>> = {
  name: t('Table'),
  fields: tableFields,
  size: { w: 12, h: 7 },
  roles: () => ({ measures: [] }),
  create: () => ({}),
};
