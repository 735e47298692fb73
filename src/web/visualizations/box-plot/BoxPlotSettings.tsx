import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import type { SettingsProps } from '../kind.ts';
import { AxisFields } from '../settings/AxisFields.tsx';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import { withOptional } from '../settings/without.ts';

const ends = [
  ['min', 'Minimum'],
  ['lowerQuartile', 'Lower quartile'],
  ['upperQuartile', 'Upper quartile'],
  ['max', 'Maximum'],
] as const;

/** The settings of a box plot: from all rows of each category, or from columns with the five numbers of each box. */
export function BoxPlotSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'boxPlot'>>): ReactNode {
  const { summary } = v;
  return (
    <>
      <OptionalFieldSelect
        label="Category"
        description="One box for each of its values"
        columns={columns}
        value={v.category}
        onChange={(category) => onChange(withOptional(v, 'category', category))}
      />
      <FieldSelect
        label={summary === undefined ? 'Value' : 'Median'}
        columns={columns}
        requirement="measure"
        value={v.value}
        onChange={(value) => onChange({ ...v, value })}
      />
      <Switch
        size="xs"
        label="Quartiles from columns"
        description="If the query has one row for each box"
        checked={summary !== undefined}
        onChange={(event) => {
          const { value } = v;
          const chosen = { min: value, lowerQuartile: value, upperQuartile: value, max: value };
          onChange(withOptional(v, 'summary', event.currentTarget.checked ? chosen : undefined));
        }}
      />
      {summary === undefined ? (
        <Switch
          size="xs"
          label="Outliers as points"
          checked={v.whiskers !== 'range'}
          onChange={(event) =>
            onChange(withOptional(v, 'whiskers', event.currentTarget.checked ? undefined : 'range'))
          }
        />
      ) : (
        ends.map(([end, label]) => (
          <FieldSelect
            key={end}
            label={label}
            columns={columns}
            requirement="measure"
            value={summary[end]}
            onChange={(field) => onChange({ ...v, summary: { ...summary, [end]: field } })}
          />
        ))
      )}
      <FormatFields
        label="Number format"
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <More label="Axis">
        <AxisFields
          name="Y-axis"
          axis={v.yAxis}
          onChange={(axis) => onChange(withOptional(v, 'yAxis', axis))}
        />
      </More>
    </>
  );
}
