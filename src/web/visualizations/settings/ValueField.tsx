import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { t } from '#shared/language/messages.ts';
import { FieldSelect } from './FieldSelect.tsx';
import type { SettingsProps } from '../kind.ts';

/** The measure of a visualization with a single measure. */
export const ValueField = <Shown extends Extract<Visualization, { value: string }>>({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<Shown>): ReactNode => (
  <FieldSelect
    label={t('Value')}
    columns={columns}
    requirement="measure"
    value={v.value}
    onChange={(value) => onChange({ ...v, value })}
  />
);
