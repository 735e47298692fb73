import { t } from '#shared/language/messages.ts';
import { boxPlotFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const boxPlot: VisualizationKind<OfKind<'boxPlot'>> = {
  name: t('Box plot'),
  fields: boxPlotFields,
  size: { w: 6, h: 5 },
  roles: ({ category, value, format }) => ({ category, measures: [{ field: value, format }] }),
  create: ({ category, measures: [value] }) =>
    value === undefined ? undefined : { ...(category !== undefined && { category }), value },
};
