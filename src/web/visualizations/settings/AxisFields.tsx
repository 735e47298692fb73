import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Axis } from '#charts/drawing/chart.ts';
import { t } from '#shared/language/messages.ts';
import { FormatFields } from './FormatFields.tsx';
import { withOptional } from './without.ts';

const scales = ['auto', 'linear', 'log', 'time', 'category'] as const;
const scaleLabels = {
  auto: t('Automatic'),
  linear: t('Linear'),
  log: t('Logarithmic'),
  time: t('Time'),
  category: t('Categories'),
} as const;

/** The title of an axis, its scale, its bounds, and its format. */
export function AxisFields({
  name,
  axis = {},
  onChange,
  isValueAxis = true,
}: {
  /** The beginning of its labels, such as `X-axis`. */
  readonly name: string;
  readonly axis: Axis | undefined;
  readonly onChange: (axis: Axis | undefined) => void;
  /** Whether its values are always numbers, whatever the type of the column. */
  readonly isValueAxis?: boolean;
}): ReactNode {
  const change = (next: Axis) => onChange(Object.keys(next).length === 0 ? undefined : next);
  const bound = (label: string, side: 'min' | 'max') => (
    <NumberInput
      label={label}
      aria-label={`${name} ${label.toLowerCase()}`}
      size="xs"
      placeholder={t('Auto')}
      value={axis[side] ?? ''}
      onChange={(value) => change(withOptional(axis, side, typeof value === 'number' ? value : undefined))}
    />
  );
  return (
    <>
      <TextInput
        label={t('{name} title', { name })}
        size="xs"
        maxLength={1000}
        value={axis.title ?? ''}
        onChange={(event) => change(withOptional(axis, 'title', event.currentTarget.value || undefined))}
      />
      <Select
        label={t('{name} scale', { name })}
        size="xs"
        allowDeselect={false}
        data={scales
          .filter((scale) => !isValueAxis || (scale !== 'time' && scale !== 'category'))
          .map((scale) => ({ value: scale, label: scaleLabels[scale] }))}
        value={axis.scale ?? 'auto'}
        onChange={(chosen) => {
          const scale = scales.find((one) => one === chosen);
          change(withOptional(axis, 'scale', scale === 'auto' ? undefined : scale));
        }}
      />
      <Group gap="xs" grow>
        {bound(t('Minimum'), 'min')}
        {bound(t('Maximum'), 'max')}
      </Group>
      <FormatFields
        label={t('{name} format', { name })}
        format={axis.format}
        onChange={(format) => change(withOptional(axis, 'format', format))}
      />
    </>
  );
}
