import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { FieldSelect } from '../settings/FieldSelect.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { ValueField } from '../settings/ValueField.tsx';
import { withOptional } from '../settings/without.ts';

export const SankeySettings = ({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'sankey'>>): ReactNode => (
  <>
    <FieldSelect
      label={t('Source')}
      columns={columns}
      value={v.source}
      onChange={(source) => onChange({ ...v, source })}
    />
    <FieldSelect
      label={t('Target')}
      columns={columns}
      value={v.target}
      onChange={(target) => onChange({ ...v, target })}
    />
    <ValueField visualization={v} columns={columns} onChange={onChange} />
    <Switch
      size="xs"
      label={t('Sources and targets on separate sides')}
      description={t('A name that is both is shown on each side')}
      checked={v.hasSeparateSides === true}
      onChange={(event) =>
        onChange(withOptional(v, 'hasSeparateSides', event.currentTarget.checked || undefined))
      }
    />
    <FormatFields
      label={t('Number format')}
      format={v.format}
      onChange={(format) => onChange(withOptional(v, 'format', format))}
    />
  </>
);
