import { Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Cartesian } from '#charts/cartesian/kind.ts';
import { t } from '#shared/language/messages.ts';
import { AxisFields } from '../settings/AxisFields.tsx';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { More } from '../settings/More.tsx';
import { SeriesFields } from '../settings/SeriesFields.tsx';
import type { SettingsProps } from '../kind.ts';
import { SortFields } from '../settings/SortFields.tsx';
import { DataLabelsSelect } from '../settings/DataLabelsSelect.tsx';
import { ReferenceLineFields } from '../settings/ReferenceLineFields.tsx';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { withOptional } from '../settings/without.ts';

const sides = [
  { value: 'left', label: t('Left axis') },
  { value: 'right', label: t('Right axis') },
] as const;

export function CartesianSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<Cartesian>): ReactNode {
  const hasRight = v.series.some(({ axis }) => axis === 'right');
  return (
    <>
      <FieldSelect
        label={t('X axis')}
        columns={columns}
        value={v.x}
        onChange={(x) => onChange({ ...v, x })}
      />
      <SeriesFields
        series={v.series}
        hasShapes={v.kind === 'combo'}
        columns={columns}
        onChange={(series) => onChange({ ...v, series })}
      />
      <OptionalFieldSelect
        label={t('Split by')}
        description={t('One series for each of its values')}
        columns={columns}
        value={v.splitBy}
        onChange={(splitBy) => onChange(withOptional(v, 'splitBy', splitBy))}
      />
      <Stacking v={v} onChange={onChange} />
      <SortFields
        sort={v.sort}
        columns={columns}
        onChange={(sort) => onChange(withOptional(v, 'sort', sort))}
      />
      {v.kind === 'bar' && (
        <Toggle
          label={t('Horizontal bars')}
          checked={v.isHorizontal}
          onChange={(checked) => onChange(withOptional(v, 'isHorizontal', checked))}
        />
      )}
      <DataLabelsSelect
        labels={v.dataLabels}
        onChange={(dataLabels) => onChange(withOptional(v, 'dataLabels', dataLabels))}
      />
      <ReferenceLineFields
        lines={v.referenceLines}
        fields={[...new Set(v.series.map(({ field }) => field))]}
        axes={hasRight ? sides : []}
        onChange={(referenceLines) => onChange(withOptional(v, 'referenceLines', referenceLines))}
      />
      <More label={t('More settings')}>
        {v.kind !== 'bar' && (
          <Toggle
            label={t('Smooth')}
            checked={v.isSmooth}
            onChange={(checked) => onChange(withOptional(v, 'isSmooth', checked))}
          />
        )}
        {v.kind === 'line' && <Gaps v={v} onChange={onChange} />}
        <Switch
          size="xs"
          label={t('Legend')}
          checked={v.hasLegend ?? (v.series.length > 1 || v.splitBy !== undefined)}
          onChange={(event) => onChange({ ...v, hasLegend: event.currentTarget.checked })}
        />
        <AxisFields
          name={t('X-axis')}
          axis={v.xAxis}
          isValueAxis={false}
          onChange={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        />
        <AxisFields
          name={hasRight ? t('Left-axis') : t('Y-axis')}
          axis={v.yAxis}
          onChange={(axis) => onChange(withOptional(v, 'yAxis', axis))}
        />
        {hasRight && (
          <AxisFields
            name={t('Right-axis')}
            axis={v.rightAxis}
            onChange={(axis) => onChange(withOptional(v, 'rightAxis', axis))}
          />
        )}
        <ThresholdFields
          thresholds={v.thresholds}
          onChange={(thresholds) => onChange(withOptional(v, 'thresholds', thresholds))}
        />
      </More>
    </>
  );
}

interface PartProps<V extends Cartesian = Cartesian> {
  readonly v: V;
  readonly onChange: (visualization: V) => void;
}

const stackings = ['none', 'stacked', 'percent'] as const;

const Stacking = ({ v, onChange }: PartProps): ReactNode => (
  <Select
    label={t('Stacking')}
    size="xs"
    allowDeselect={false}
    data={[
      { value: 'none', label: t('Not stacked') },
      { value: 'stacked', label: t('Stacked') },
      ...(v.kind === 'combo' ? [] : [{ value: 'percent', label: t('100% stacked') }]),
    ]}
    value={v.stacking ?? 'none'}
    onChange={(chosen) => {
      const stacking = stackings.find((one) => one === chosen);
      if (v.kind !== 'combo') {
        onChange(withOptional(v, 'stacking', stacking === 'none' ? undefined : stacking));
      } else if (stacking !== 'percent') {
        onChange(withOptional(v, 'stacking', stacking === 'none' ? undefined : stacking));
      }
    }}
  />
);

const gaps = ['gap', 'zero', 'connect'] as const;

const Gaps = ({ v, onChange }: PartProps<Extract<Cartesian, { kind: 'line' }>>): ReactNode => (
  <Select
    label={t('Missing values')}
    size="xs"
    allowDeselect={false}
    data={[
      { value: 'gap', label: t('Leave a gap') },
      { value: 'zero', label: t('Show as zero') },
      { value: 'connect', label: t('Connect the line') },
    ]}
    value={v.gaps ?? 'gap'}
    onChange={(chosen) => {
      const found = gaps.find((one) => one === chosen);
      onChange(withOptional(v, 'gaps', found === 'gap' ? undefined : found));
    }}
  />
);

const Toggle = ({
  label,
  checked = false,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean | undefined;
  readonly onChange: (checked: true | undefined) => void;
}): ReactNode => (
  <Switch
    size="xs"
    label={label}
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
  />
);
