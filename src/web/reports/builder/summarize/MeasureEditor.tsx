import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Measure } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';
import { isSameColumn } from '../available.ts';
import { ColumnPicker } from '../ColumnPicker.tsx';
import { FormulaField } from '../columns/FormulaField.tsx';
import { useBuilder } from '../context.ts';
import { defaultMeasureName, type ComputedMeasure } from '../names.ts';
import { aggregatesOf, labelOfAggregate } from './measure-options.ts';

const comparisonChoices = [
  { value: 'value', label: t('Value') },
  { value: 'share_of_total', label: t('Share of the total') },
  { value: 'change', label: t('Change from the previous period') },
  { value: 'percent_change', label: t('Percent change from the previous period') },
  { value: 'running_total', label: t('Running total') },
] as const;

/** The fields of a measure. */
export function MeasureEditor({
  measure,
  pointer,
  change,
}: {
  readonly measure: Measure;
  /** Where the measure is in the structure. */
  readonly pointer: string;
  /** Changes with the same `field` in a row are one step to undo. */
  readonly change: (measure: Measure, field?: string) => void;
}): ReactNode {
  const { structure, columns } = useBuilder();
  const labelOf = (one: ComputedMeasure) =>
    'column' in one ? columns.find(({ reference }) => isSameColumn(reference, one.column))?.label : undefined;
  /** The name follows what is computed until people choose another. */
  const set = (changed: ComputedMeasure, field?: string) => {
    const isDefault = measure.name === defaultMeasureName(measure, structure, labelOf(measure));
    const name = isDefault ? defaultMeasureName(changed, structure, labelOf(changed)) : measure.name;
    change({ ...changed, name }, field);
  };
  const column =
    'column' in measure
      ? columns.find(({ reference }) => isSameColumn(reference, measure.column))
      : undefined;
  const { comparison } = measure;
  const compared = comparison === undefined ? {} : { comparison };
  return (
    <>
      {measure.aggregate === 'formula' && (
        <FormulaField
          pointer={`${pointer}/formula`}
          description={t('Such as sum([amount]) / count()')}
          hasAggregates
          formula={measure.formula}
          onChange={(formula) => set({ ...measure, formula }, 'formula')}
        />
      )}
      {'column' in measure && (
        <>
          <Select
            label={t('Measure')}
            size="sm"
            allowDeselect={false}
            data={(column === undefined ? [measure.aggregate] : aggregatesOf(column)).map((one) => ({
              value: one,
              label: labelOfAggregate(one),
            }))}
            value={measure.aggregate}
            onChange={(chosen) => {
              if (chosen === 'percentile')
                set({ aggregate: chosen, column: measure.column, percent: 90, ...compared });
              else if (chosen !== null) set({ aggregate: chosen, column: measure.column, ...compared });
            }}
          />
          <ColumnPicker
            label={t('Column')}
            columns={columns.filter((one) => aggregatesOf(one).includes(measure.aggregate))}
            value={measure.column}
            onPick={({ reference }) => set({ ...measure, column: reference })}
          />
        </>
      )}
      {measure.aggregate === 'percentile' && (
        <NumberInput
          label={t('Percent')}
          size="sm"
          min={0}
          max={100}
          value={measure.percent}
          onChange={(percent) => typeof percent === 'number' && set({ ...measure, percent }, 'percent')}
        />
      )}
      <Select
        label={t('Show as')}
        size="sm"
        allowDeselect={false}
        data={[...comparisonChoices]}
        value={comparison ?? 'value'}
        onChange={(chosen) => {
          set(
            withOptional(measure, 'comparison', chosen === null || chosen === 'value' ? undefined : chosen),
          );
        }}
      />
      <TextInput
        label={t('Name')}
        size="sm"
        maxLength={100}
        value={measure.name}
        onChange={({ currentTarget: { value } }) => change({ ...measure, name: value }, 'name')}
      />
    </>
  );
}
