import type { ReactNode } from 'react';
import { AxisFields } from '../settings/AxisFields.tsx';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind, SettingsProps } from '../settings/settings-props.ts';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

/** Of points. */
export function ScatterSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'scatter'>>): ReactNode {
  return (
    <>
      <FieldSelect
        label="Across"
        columns={columns}
        need="position"
        value={v.x}
        onChange={(x) => onChange({ ...v, x })}
      />
      <FieldSelect
        label="Up"
        columns={columns}
        need="position"
        value={v.y}
        onChange={(y) => onChange({ ...v, y })}
      />
      <OptionalFieldSelect
        label="Size"
        columns={columns}
        need="measure"
        value={v.size}
        onChange={(size) => onChange(withOptional(v, 'size', size))}
      />
      <OptionalFieldSelect
        label="Colour by"
        columns={columns}
        value={v.color}
        onChange={(color) => onChange(withOptional(v, 'color', color))}
      />
      <OptionalFieldSelect
        label="Name of a point"
        columns={columns}
        value={v.label}
        onChange={(label) => onChange(withOptional(v, 'label', label))}
      />
      <Axes
        across={v.xAxis}
        up={v.yAxis}
        onAcross={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        onUp={(axis) => onChange(withOptional(v, 'yAxis', axis))}
      />
    </>
  );
}

/** Of a heat map. */
export function HeatMapSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'heatMap'>>): ReactNode {
  return (
    <>
      <FieldSelect label="Across" columns={columns} value={v.x} onChange={(x) => onChange({ ...v, x })} />
      <FieldSelect label="Down" columns={columns} value={v.y} onChange={(y) => onChange({ ...v, y })} />
      <ValueField visualization={v} columns={columns} onChange={onChange} />
      <FormatFields
        label="Values"
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <More label="Colours from a value on">
        <ThresholdFields
          thresholds={v.thresholds}
          onChange={(thresholds) => onChange(withOptional(v, 'thresholds', thresholds))}
        />
      </More>
      <Axes
        across={v.xAxis}
        up={v.yAxis}
        onAcross={(axis) => onChange(withOptional(v, 'xAxis', axis))}
        onUp={(axis) => onChange(withOptional(v, 'yAxis', axis))}
      />
    </>
  );
}

type Axis = OfKind<'scatter'>['xAxis'];

const Axes = ({
  across,
  up,
  onAcross,
  onUp,
}: {
  readonly across: Axis;
  readonly up: Axis;
  readonly onAcross: (axis: Axis) => void;
  readonly onUp: (axis: Axis) => void;
}): ReactNode => (
  <More label="Axes">
    <AxisFields name="across" axis={across} isValueAxis={false} onChange={onAcross} />
    <AxisFields name="up" axis={up} isValueAxis={false} onChange={onUp} />
  </More>
);
