import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { FieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

export const CalendarSettings = ({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'calendar'>>): ReactNode => (
  <>
    <FieldSelect
      label={t('Date')}
      columns={columns}
      requirement="date"
      value={v.date}
      onChange={(date) => onChange({ ...v, date })}
    />
    <ValueField visualization={v} columns={columns} onChange={onChange} />
    <FormatFields
      label={t('Number format')}
      format={v.format}
      onChange={(format) => onChange(withOptional(v, 'format', format))}
    />
  </>
);
