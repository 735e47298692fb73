import { t } from '#shared/language/messages.ts';
import { calendarFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const calendar: VisualizationKind<OfKind<'calendar'>> = {
  name: t('Calendar'),
  fields: calendarFields,
  size: { w: 8, h: 4 },
  roles: ({ date, value, format }) => ({ category: date, measures: [{ field: value, format }] }),
  create({ category, measures: [value], pick }) {
    if (value === undefined) return undefined;
    const date = pick('date', category, [value]);
    return date === undefined ? undefined : { date, value };
  },
};
