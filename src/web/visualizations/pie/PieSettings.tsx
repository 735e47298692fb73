import { NumberInput, Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { SortFields } from '../settings/SortFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

const labels = [
  { value: 'none', label: t('None') },
  { value: 'share', label: t('Shares') },
  { value: 'value', label: t('Values') },
] as const;

export function PieSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'pie'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label={t('Slices')}
        columns={columns}
        value={v.category}
        onChange={(category) => onChange({ ...v, category })}
      />
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <NumberInput
        label={t('Maximum slices')}
        description={t('The others are combined into one slice')}
        size="xs"
        min={2}
        max={50}
        allowDecimal={false}
        placeholder={t('Auto')}
        value={v.maxSlices ?? ''}
        onChange={(value) =>
          onChange(withOptional(v, 'maxSlices', typeof value === 'number' && value >= 2 ? value : undefined))
        }
      />
      <Switch
        label={t('Donut')}
        size="xs"
        checked={v.isDonut ?? false}
        onChange={(event) => onChange(withOptional(v, 'isDonut', event.currentTarget.checked || undefined))}
      />
      <Select
        label={t('Data labels')}
        size="xs"
        allowDeselect={false}
        data={labels}
        value={v.dataLabels ?? 'none'}
        onChange={(chosen) => {
          const found = labels.find(({ value }) => value === chosen)?.value;
          onChange(withOptional(v, 'dataLabels', found === 'none' ? undefined : found));
        }}
      />
      <SortFields
        sort={v.sort}
        columns={columns}
        onChange={(sort) => onChange(withOptional(v, 'sort', sort))}
      />
      <FormatFields
        label={t('Number format')}
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
    </>
  );
}
