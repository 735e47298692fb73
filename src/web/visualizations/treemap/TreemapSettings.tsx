import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

export const TreemapSettings = ({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'treemap'>>): ReactNode => (
  <>
    <FieldSelect
      label={t('Category')}
      columns={columns}
      value={v.category}
      onChange={(category) => onChange({ ...v, category })}
    />
    <OptionalFieldSelect
      label={t('Group by')}
      columns={columns}
      value={v.group}
      onChange={(group) => onChange(withOptional(v, 'group', group))}
    />
    <ValueField visualization={v} columns={columns} onChange={onChange} />
    <FormatFields
      label={t('Number format')}
      format={v.format}
      onChange={(format) => onChange(withOptional(v, 'format', format))}
    />
  </>
);
