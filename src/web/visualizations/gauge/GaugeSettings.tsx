import { Group, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

/** The settings of a gauge: its value, its target, and the ends and ranges of its scale. */
export function GaugeSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'gauge'>>): ReactNode {
  const number = (label: string, name: 'min' | 'max' | 'target') => (
    <NumberInput
      label={label}
      size="xs"
      placeholder={name === 'target' ? t('None') : t('Auto')}
      value={v[name] ?? ''}
      onChange={(value) => onChange(withOptional(v, name, typeof value === 'number' ? value : undefined))}
    />
  );
  return (
    <>
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <Group gap="xs" grow>
        {number(t('Minimum'), 'min')}
        {number(t('Maximum'), 'max')}
      </Group>
      {v.targetField === undefined && number(t('Target'), 'target')}
      <OptionalFieldSelect
        label={t('Target from a column')}
        columns={columns}
        requirement="measure"
        value={v.targetField}
        onChange={(field) => onChange(withOptional(v, 'targetField', field))}
      />
      <FormatFields
        label={t('Number format')}
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <More label={t('Color thresholds')}>
        <ThresholdFields
          thresholds={v.thresholds}
          onChange={(thresholds) => onChange(withOptional(v, 'thresholds', thresholds))}
        />
      </More>
    </>
  );
}
