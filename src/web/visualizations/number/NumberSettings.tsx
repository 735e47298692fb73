import { Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind, SettingsProps } from '../kind.ts';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

const comparisons = ['difference', 'percent', 'value'] as const;

/** Of a number, with what it is compared to. */
export function NumberSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'number'>>): ReactNode {
  const { comparison } = v;
  return (
    <>
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <OptionalFieldSelect
        label="Compared to"
        columns={columns}
        need="measure"
        value={comparison?.field}
        onChange={(field) =>
          onChange(withOptional(v, 'comparison', field === undefined ? undefined : { ...comparison, field }))
        }
      />
      {comparison !== undefined && (
        <>
          <Select
            label="Shown as"
            size="xs"
            allowDeselect={false}
            data={[
              { value: 'difference', label: 'Difference' },
              { value: 'percent', label: 'Change in percent' },
              { value: 'value', label: 'The value itself' },
            ]}
            value={comparison.showAs ?? 'difference'}
            onChange={(chosen) => {
              const showAs = comparisons.find((one) => one === chosen);
              onChange({ ...v, comparison: withOptional(comparison, 'showAs', showAs) });
            }}
          />
          <TextInput
            label="Label of the comparison"
            size="xs"
            maxLength={1000}
            value={comparison.label ?? ''}
            onChange={(event) =>
              onChange({
                ...v,
                comparison: withOptional(comparison, 'label', event.currentTarget.value || undefined),
              })
            }
          />
          <Switch
            label="Less is better"
            size="xs"
            checked={comparison.isLessBetter ?? false}
            onChange={(event) => {
              const isLessBetter = event.currentTarget.checked || undefined;
              onChange({ ...v, comparison: withOptional(comparison, 'isLessBetter', isLessBetter) });
            }}
          />
        </>
      )}
      <FormatFields
        label="Format"
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <More label="Colours from a value on">
        <ThresholdFields
          thresholds={v.thresholds}
          onChange={(thresholds) => onChange(withOptional(v, 'thresholds', thresholds))}
        />
      </More>
    </>
  );
}
