import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { OfKind } from '#charts/kind.ts';
import type { SettingsProps } from '../kind.ts';
import { FieldSelect, OptionalFieldSelect } from '../settings/FieldSelect.tsx';
import { SortFields } from '../settings/SortFields.tsx';
import { withOptional } from '../settings/without.ts';

export const GanttSettings = ({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'gantt'>>): ReactNode => (
  <>
    <FieldSelect
      label={t('Label')}
      columns={columns}
      value={v.label}
      onChange={(label) => onChange({ ...v, label })}
    />
    <FieldSelect
      label={t('Start')}
      columns={columns}
      requirement="position"
      value={v.start}
      onChange={(start) => onChange({ ...v, start })}
    />
    <FieldSelect
      label={t('End')}
      description={t('A bar without an end fades out')}
      columns={columns}
      requirement="position"
      value={v.end}
      onChange={(end) => onChange({ ...v, end })}
    />
    <OptionalFieldSelect
      label={t('Group by')}
      description={t('Decides the colors, and the order of the lines')}
      columns={columns}
      value={v.group}
      onChange={(group) => onChange(withOptional(v, 'group', group))}
    />
    <OptionalFieldSelect
      label={t('Progress')}
      description={t('How much is done, from 0 to 1 or from 0 to 100')}
      columns={columns}
      requirement="measure"
      value={v.progress}
      onChange={(progress) => onChange(withOptional(v, 'progress', progress))}
    />
    <Switch
      size="xs"
      label={t('Line for today')}
      checked={v.hasToday !== false}
      onChange={(event) =>
        onChange(withOptional(v, 'hasToday', event.currentTarget.checked ? undefined : false))
      }
    />
    <SortFields
      sort={v.sort}
      columns={columns}
      onChange={(sort) => onChange(withOptional(v, 'sort', sort))}
    />
  </>
);
