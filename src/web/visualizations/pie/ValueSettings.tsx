import { NumberInput, Switch, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { AxisFields } from '../settings/AxisFields.tsx';
import { FieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind, SettingsProps } from '../settings/settings-props.ts';
import { SortFields } from '../settings/SortFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

/** Of a pie. */
export function PieSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'pie'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label="Slices"
        columns={columns}
        value={v.category}
        onChange={(category) => onChange({ ...v, category })}
      />
      <ValueField visualization={v} columns={columns} onChange={onChange} />
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
}: SettingsProps<OfKind<'histogram'>>): ReactNode {
  return (
    <>
      <ValueField visualization={v} columns={columns} onChange={onChange} />
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
export const TextSettings = ({ visualization: v, onChange }: SettingsProps<OfKind<'text'>>): ReactNode => (
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
