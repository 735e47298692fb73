import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AxisFields } from '../settings/AxisFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { ValueField } from '../settings/ValueField.tsx';
import { ReferenceLineFields } from '../settings/ReferenceLineFields.tsx';
import { withOptional } from '../settings/without.ts';

/** The lines of a histogram are usually about the values below it. */
const lineAxes = [
  { value: 'x', label: t('X axis') },
  { value: 'y', label: t('Y axis') },
] as const;

export function HistogramSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'histogram'>>): ReactNode {
  return (
    <>
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <NumberInput
        label={t('Bins')}
        size="xs"
        min={2}
        max={200}
        allowDecimal={false}
        placeholder={t('Auto')}
        value={v.bins ?? ''}
        onChange={(bins) =>
          onChange(withOptional(v, 'bins', typeof bins === 'number' && bins >= 2 ? bins : undefined))
        }
      />
      <ReferenceLineFields
        lines={v.referenceLines}
        axes={lineAxes}
        onChange={(referenceLines) => onChange(withOptional(v, 'referenceLines', referenceLines))}
      />
      <More label={t('Axes')}>
        <AxisFields
          name={t('X-axis')}
          axis={v.xAxis}
          onChange={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        />
        <AxisFields
          name={t('Y-axis')}
          axis={v.yAxis}
          onChange={(axis) => onChange(withOptional(v, 'yAxis', axis))}
        />
      </More>
    </>
  );
}
