import { isNumeric, isTemporal } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { findModel, type TableModel } from '#shared/models.ts';
import type { Aggregate, QueryStructure } from '#shared/query-builder/structure.ts';
import type { AvailableColumn } from '../available.ts';
import { defaultMeasureName, type ComputedMeasure } from '../names.ts';

/** Returns the ways to compute one value of a column, the commonest first. */
export function aggregatesOf({ type }: Pick<AvailableColumn, 'type'>): readonly (Aggregate | 'percentile')[] {
  if (isNumeric(type)) return ['sum', 'average', 'median', 'min', 'max', 'percentile', 'count_distinct'];
  if (isTemporal(type)) return ['min', 'max', 'count_distinct'];
  return type === 'boolean' || type === 'json' || type === 'struct' || type === 'list'
    ? []
    : ['count_distinct'];
}

const labels: Readonly<Record<Aggregate | 'percentile', string>> = {
  sum: t('Total'),
  average: t('Average'),
  median: t('Median'),
  min: t('Lowest'),
  max: t('Highest'),
  percentile: t('Percentile'),
  count_distinct: t('Number of distinct values'),
};

export const labelOfAggregate = (aggregate: Aggregate | 'percentile'): string => labels[aggregate];

export interface MeasureOption {
  readonly label: string;
  readonly measure: ComputedMeasure;
  /** The name of the measure; by default, that of what it computes. */
  readonly name?: string;
}

const groupOf = ({ reference: { table }, origin, label }: AvailableColumn): string =>
  table === undefined ? label : `${origin} ${label}`;

interface MeasureGroup {
  readonly group: string;
  readonly items: readonly MeasureOption[];
}

/** Returns the measures to choose from, in groups. */
export function measureOptions(
  structure: QueryStructure,
  columns: readonly AvailableColumn[],
  models: readonly TableModel[],
): readonly MeasureGroup[] {
  const ofColumn = (column: AvailableColumn): MeasureOption[] =>
    aggregatesOf(column).map((aggregate) => {
      const measure: ComputedMeasure =
        aggregate === 'percentile'
          ? { aggregate, column: column.reference, percent: 90 }
          : { aggregate, column: column.reference };
      const label = defaultMeasureName(measure, structure, column.label);
      return { label, measure, name: label };
    });
  const groups: MeasureGroup[] = [
    {
      group: t('Defined for this table'),
      items: (findModel(models, structure.table)?.measures ?? []).map(({ name, formula }) => ({
        label: name,
        measure: { aggregate: 'formula', formula },
        name,
      })),
    },
    {
      group: t('Rows'),
      items: [{ label: t('Number of rows'), measure: { aggregate: 'count' } }],
    },
    ...columns
      .filter(({ isHidden, formula }) => isHidden !== true && formula === undefined)
      .toSorted((one, other) => Number(isNumeric(other.type)) - Number(isNumeric(one.type)))
      .map((column) => ({ group: groupOf(column), items: ofColumn(column) })),
    { group: t('Other'), items: [{ label: t('Formula…'), measure: { aggregate: 'formula', formula: '' } }] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
