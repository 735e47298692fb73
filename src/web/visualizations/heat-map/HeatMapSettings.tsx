import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';
import { PointAxes } from '../settings/PointAxes.tsx';

export function HeatMapSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'heatMap'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label={t('X axis')}
        columns={columns}
        value={v.x}
        onChange={(x) => onChange({ ...v, x })}
      />
      <FieldSelect
        label={t('Y axis')}
        columns={columns}
        value={v.y}
        onChange={(y) => onChange({ ...v, y })}
      />
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <FormatFields
        label={t('Number format')}
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <Switch
        label={t('Data labels')}
        size="xs"
        checked={v.hasDataLabels ?? false}
        onChange={(event) =>
          onChange(withOptional(v, 'hasDataLabels', event.currentTarget.checked || undefined))
        }
      />
      <More label={t('Color thresholds')}>
        <ThresholdFields
          thresholds={v.thresholds}
          onChange={(thresholds) => onChange(withOptional(v, 'thresholds', thresholds))}
        />
      </More>
      <PointAxes
        xAxis={v.xAxis}
        yAxis={v.yAxis}
        onXAxis={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        onYAxis={(axis) => onChange(withOptional(v, 'yAxis', axis))}
      />
    </>
  );
}
