import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { AxisFields } from '../settings/AxisFields.tsx';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import { ReferenceLineFields } from '../settings/ReferenceLineFields.tsx';
import { withOptional } from '../settings/without.ts';

const ends = [
  ['min', t('Minimum')],
  ['lowerQuartile', t('Lower quartile')],
  ['upperQuartile', t('Upper quartile')],
  ['max', t('Maximum')],
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
        label={t('Category')}
        description={t('One box for each of its values')}
        columns={columns}
        value={v.category}
        onChange={(category) => onChange(withOptional(v, 'category', category))}
      />
      <FieldSelect
        label={summary === undefined ? t('Value') : t('Median')}
        columns={columns}
        requirement="measure"
        value={v.value}
        onChange={(value) => onChange({ ...v, value })}
      />
      <Switch
        size="xs"
        label={t('Quartiles from columns')}
        description={t('If the query has one row for each box')}
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
          label={t('Outliers as points')}
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
        label={t('Number format')}
        format={v.format}
        onChange={(format) => onChange(withOptional(v, 'format', format))}
      />
      <ReferenceLineFields
        lines={v.referenceLines}
        onChange={(referenceLines) => onChange(withOptional(v, 'referenceLines', referenceLines))}
      />
      <More label={t('Axis')}>
        <AxisFields
          name={t('Y-axis')}
          axis={v.yAxis}
          onChange={(axis) => onChange(withOptional(v, 'yAxis', axis))}
        />
      </More>
    </>
  );
}
