import { t } from '#shared/language/messages.ts';
import { cartesianKind } from '../cartesian/kind.ts';
import type { ColumnChoice, OfKind, VisualizationKind } from '../kind.ts';

type Combo = OfKind<'combo'>;

/** Bars and lines together; the lines have the axis on the right, since their numbers usually have another size. */
export const combo: VisualizationKind<Combo> = {
  ...cartesianKind,
  name: t('Combo chart'),
  create(choice) {
    const created = cartesianKind.create(choice);
    if (created === undefined || choice.category === undefined) return undefined;
    const { stacking, series, ...rest } = created;
    const another = series.length > 1 ? undefined : otherMeasure(choice, series[0]?.field);
    const [bars, ...lines] = another === undefined ? series : [...series, { field: another }];
    return {
      ...rest,
      series: [
        ...(bars === undefined ? [] : [bars]),
        ...lines.map((line) => ({ axis: 'right' as const, ...line, shape: 'line' as const })),
      ],
      ...(stacking === 'stacked' && { stacking }),
    };
  },
};

/** Returns the second measure of a result; undefined if there is only one, or if a split would show twice as many series. */
function otherMeasure(
  { category, split, pick }: ColumnChoice,
  first: string | undefined,
): string | undefined {
  if (split !== undefined || first === undefined) return undefined;
  return pick('measure', undefined, [first, ...(category === undefined ? [] : [category])]);
}
