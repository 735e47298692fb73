import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { ReferenceLineFields } from '../settings/ReferenceLineFields.tsx';
import { withOptional } from '../settings/without.ts';
import { PointAxes } from '../settings/PointAxes.tsx';

const lineAxes = [
  { value: 'y', label: t('Y axis') },
  { value: 'x', label: t('X axis') },
] as const;

export function ScatterSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'scatter'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label={t('X axis')}
        columns={columns}
        requirement="position"
        value={v.x}
        onChange={(x) => onChange({ ...v, x })}
      />
      <FieldSelect
        label={t('Y axis')}
        columns={columns}
        requirement="position"
        value={v.y}
        onChange={(y) => onChange({ ...v, y })}
      />
      <OptionalFieldSelect
        label={t('Size')}
        columns={columns}
        requirement="measure"
        value={v.size}
        onChange={(size) => onChange(withOptional(v, 'size', size))}
      />
      <OptionalFieldSelect
        label={t('Color by')}
        columns={columns}
        value={v.color}
        onChange={(color) => onChange(withOptional(v, 'color', color))}
      />
      <OptionalFieldSelect
        label={t('Point label')}
        columns={columns}
        value={v.label}
        onChange={(label) => onChange(withOptional(v, 'label', label))}
      />
      <Switch
        size="xs"
        label={t('Trend line')}
        description={t('A straight line, fitted by least squares')}
        checked={v.hasTrendLine ?? false}
        onChange={(event) =>
          onChange(withOptional(v, 'hasTrendLine', event.currentTarget.checked || undefined))
        }
      />
      <Switch
        size="xs"
        label={t('Data labels')}
        checked={v.hasDataLabels ?? false}
        onChange={(event) =>
          onChange(withOptional(v, 'hasDataLabels', event.currentTarget.checked || undefined))
        }
      />
      <ReferenceLineFields
        lines={v.referenceLines}
        axes={lineAxes}
        onChange={(referenceLines) => onChange(withOptional(v, 'referenceLines', referenceLines))}
      />
      <PointAxes
        xAxis={v.xAxis}
        yAxis={v.yAxis}
        onXAxis={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        onYAxis={(axis) => onChange(withOptional(v, 'yAxis', axis))}
      />
    </>
  );
}
