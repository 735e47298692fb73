import { Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { TrendFields } from './TrendFields.tsx';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

const comparisons = ['difference', 'percent', 'value'] as const;

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
        label={t('Compare with')}
        columns={columns}
        requirement="measure"
        value={comparison?.field}
        onChange={(field) =>
          onChange(withOptional(v, 'comparison', field === undefined ? undefined : { ...comparison, field }))
        }
      />
      {comparison !== undefined && (
        <>
          <Select
            label={t('Show as')}
            size="xs"
            allowDeselect={false}
            data={[
              { value: 'difference', label: t('Difference') },
              { value: 'percent', label: t('Percent change') },
              { value: 'value', label: t('Value') },
            ]}
            value={comparison.showAs ?? 'difference'}
            onChange={(chosen) => {
              const showAs = comparisons.find((one) => one === chosen);
              onChange({ ...v, comparison: withOptional(comparison, 'showAs', showAs) });
            }}
          />
          <TextInput
            label={t('Comparison label')}
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
            label={t('Lower is better')}
            size="xs"
            checked={comparison.isLessBetter ?? false}
            onChange={(event) => {
              const isLessBetter = event.currentTarget.checked || undefined;
              onChange({ ...v, comparison: withOptional(comparison, 'isLessBetter', isLessBetter) });
            }}
          />
        </>
      )}
      <TrendFields
        trend={v.trend}
        columns={columns}
        onChange={(trend) => onChange(withOptional(v, 'trend', trend))}
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
