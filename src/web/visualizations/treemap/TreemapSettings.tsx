import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
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
      label="Category"
      columns={columns}
      value={v.category}
      onChange={(category) => onChange({ ...v, category })}
    />
    <OptionalFieldSelect
      label="Group by"
      columns={columns}
      value={v.group}
      onChange={(group) => onChange(withOptional(v, 'group', group))}
    />
    <ValueField visualization={v} columns={columns} onChange={onChange} />
    <FormatFields
      label="Number format"
      format={v.format}
      onChange={(format) => onChange(withOptional(v, 'format', format))}
    />
  </>
);
