import { t } from '#shared/language/messages.ts';
import { ganttFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const gantt: VisualizationKind<OfKind<'gantt'>> = {
  name: t('Gantt chart'),
  fields: ganttFields,
  size: { w: 8, h: 6 },
  roles: ({ label, group, start, end }) => ({
    category: label,
    split: group,
    measures: [{ field: start }, { field: end }],
  }),
  create({ category, split, measures, pick }) {
    const first = pick('date', undefined, []);
    const second = first === undefined ? undefined : pick('date', undefined, [first]);
    const start = second === undefined ? measures[0] : first;
    if (start === undefined) return undefined;
    const end = second ?? measures[1] ?? pick('measure', undefined, [start]);
    if (end === undefined) return undefined;
    const label = pick('any', category, [start, end]);
    if (label === undefined) return undefined;
    return { label, start, end, ...(split !== undefined && split !== label && { group: split }) };
  },
};
