import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { FieldSelect } from './FieldSelect.tsx';
import { FormatFields } from './FormatFields.tsx';
import { SortFields } from './SortFields.tsx';
import { ValueField } from './ValueField.tsx';
import { withOptional } from './without.ts';

/** The settings of a chart with a value for each category in an order: a funnel or a waterfall. */
export const StepSettings = ({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'funnel' | 'waterfall'>, Visualization>): ReactNode => (
  <>
    <FieldSelect
      label={t('Category')}
      columns={columns}
      value={v.category}
      onChange={(category) => onChange({ ...v, category })}
    />
    <ValueField visualization={v} columns={columns} onChange={onChange} />
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
