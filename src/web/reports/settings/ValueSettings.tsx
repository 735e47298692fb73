import { NumberInput, Switch, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import type { Visualization } from '#contract/visualizations.ts';
import { AxisFields } from './AxisFields.tsx';
import { FieldSelect } from './FieldSelect.tsx';
import { FormatFields } from './FormatFields.tsx';
import { More } from './More.tsx';
import { SortFields } from './SortFields.tsx';
import { withOptional } from './without.ts';

type Of<Kind> = Extract<Visualization, { kind: Kind }>;

interface SettingsProps<V> {
  readonly visualization: V;
  readonly columns: readonly Column[];
  readonly onChange: (visualization: V) => void;
}

/** Of a pie. */
export function PieSettings({ visualization: v, columns, onChange }: SettingsProps<Of<'pie'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label="Slices"
        columns={columns}
        value={v.category}
        onChange={(category) => onChange({ ...v, category })}
      />
      <FieldSelect
        label="Value"
        columns={columns}
        need="measure"
        value={v.value}
        onChange={(value) => onChange({ ...v, value })}
      />
      <NumberInput
        label="Most slices"
        description="The rest is one slice together"
        size="xs"
        min={2}
        max={50}
        allowDecimal={false}
        placeholder="Auto"
        value={v.maxSlices ?? ''}
        onChange={(value) =>
          onChange(withOptional(v, 'maxSlices', typeof value === 'number' && value >= 2 ? value : undefined))
        }
      />
      <Switch
        label="As a ring"
        size="xs"
        checked={v.isDonut ?? false}
        onChange={(event) => onChange(withOptional(v, 'isDonut', event.currentTarget.checked || undefined))}
      />
      <SortFields
        sort={v.sort}
        columns={columns}
        onChange={(sort) => onChange(withOptional(v, 'sort', sort))}
      />
      <FormatFields
        label="Format"
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
    </>
  );
}

/** Of a histogram. */
export function HistogramSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<Of<'histogram'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label="Value"
        columns={columns}
        need="measure"
        value={v.value}
        onChange={(value) => onChange({ ...v, value })}
      />
      <NumberInput
        label="Bars"
        size="xs"
        min={2}
        max={200}
        allowDecimal={false}
        placeholder="Auto"
        value={v.bins ?? ''}
        onChange={(bins) =>
          onChange(withOptional(v, 'bins', typeof bins === 'number' && bins >= 2 ? bins : undefined))
        }
      />
      <More label="Axes">
        <AxisFields
          name="value"
          axis={v.xAxis}
          onChange={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        />
        <AxisFields
          name="count"
          axis={v.yAxis}
          onChange={(axis) => onChange(withOptional(v, 'yAxis', axis))}
        />
      </More>
    </>
  );
}

/** Of words. */
export const TextSettings = ({ visualization: v, onChange }: SettingsProps<Of<'text'>>): ReactNode => (
  <Textarea
    label="Words"
    description="{{column}} stands for its value in the first row"
    size="xs"
    autosize
    minRows={4}
    maxRows={16}
    maxLength={20_000}
    value={v.text}
    onChange={(event) => onChange({ ...v, text: event.currentTarget.value })}
  />
);
