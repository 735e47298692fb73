import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { granularities, isTimeOfDay, type Group } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';
import { isSameColumn } from '../available.ts';
import { useBuilder } from '../context.ts';
import { defaultGroupName, nameOfGranularity } from '../names.ts';

/** The fields of a group. */
export function GroupEditor({
  group,
  change,
}: {
  readonly group: Group;
  /** Changes with the same `field` in a row are one step to undo. */
  readonly change: (group: Group, field?: string) => void;
}): ReactNode {
  const { columns } = useBuilder();
  const type = columns.find(({ reference }) => isSameColumn(reference, group.column))?.type ?? 'other';
  const { column, name, granularity, binWidth } = group;
  const set = (grouping: Pick<Group, 'granularity' | 'binWidth'>, field?: string) => {
    const isDefault = name === undefined || name === defaultGroupName(group);
    const changed = { column, ...grouping };
    const kept = isDefault ? defaultGroupName(changed) : name;
    change({ ...changed, ...(kept !== column.name && { name: kept }) }, field);
  };
  return (
    <>
      {isTemporal(type) && (
        <Select
          label={t('Group by')}
          size="sm"
          allowDeselect={false}
          data={[
            { value: 'value', label: t('Each value') },
            ...granularities
              .filter((one) => type !== 'date' || !isTimeOfDay(one))
              .map((one) => ({ value: one, label: nameOfGranularity(one) })),
          ]}
          value={granularity ?? 'value'}
          onChange={(chosen) => set(chosen === null || chosen === 'value' ? {} : { granularity: chosen })}
        />
      )}
      {isNumeric(type) && (
        <NumberInput
          label={t('Width of each group')}
          description={t('Leave it empty to group by each value')}
          size="sm"
          min={0}
          value={binWidth ?? ''}
          onChange={(width) =>
            set(typeof width === 'number' && width > 0 ? { binWidth: width } : {}, 'width')
          }
        />
      )}
      <TextInput
        label={t('Name')}
        size="sm"
        maxLength={100}
        placeholder={column.name}
        value={name ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change(withOptional(group, 'name', value === '' ? undefined : value), 'name')
        }
      />
    </>
  );
}
