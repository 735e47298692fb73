import { t } from '#shared/language/messages.ts';
import { pivotFields } from '#shared/visualizations/kind-fields.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const pivot: VisualizationKind<OfKind<'pivot'>> = {
  name: t('Pivot table'),
  fields: pivotFields,
  size: { w: 8, h: 6 },
  roles: ({ rows: [category], columns: [split] = [], values }) => ({
    category,
    split,
    measures: values.flatMap(({ field, label, format }) =>
      field === undefined ? [] : [{ field, label, format }],
    ),
  }),
  create({ category, split, measures, pick }) {
    const [first] = measures;
    if (category === undefined || first === undefined) return undefined;
    const column = pick('any', split, [category, ...measures]);
    return {
      rows: [category],
      ...(column !== undefined && { columns: [column] }),
      values: measures.slice(0, 10).map((field) => ({ field, aggregate: 'sum' as const })),
    };
  },
};
