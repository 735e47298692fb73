import { ActionIcon, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CellFields } from './CellFields.tsx';
import { FormatFields } from '../settings/FormatFields.tsx';
import { More } from '../settings/More.tsx';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { SortFields } from '../settings/SortFields.tsx';
import { ThresholdFields } from '../settings/ThresholdFields.tsx';
import { withOptional } from '../settings/without.ts';

type TableColumn = NonNullable<OfKind<'table'>['columns']>[number];

/** The settings of a table: its columns, their order and their labels. */
export function TableSettings({
  visualization: v,
  columns,
  onChange,
}: SettingsProps<OfKind<'table'>>): ReactNode {
  const shown: readonly TableColumn[] = v.columns ?? columns.map(({ name }) => ({ field: name }));
  const hidden = columns.map(({ name }) => name).filter((name) => !shown.some(({ field }) => field === name));
  const change = (next: readonly TableColumn[]) => onChange({ ...v, columns: [...next] });
  const move = (index: number, by: number) => {
    const moved = shown[index];
    if (moved !== undefined) change(shown.toSpliced(index, 1).toSpliced(index + by, 0, moved));
  };
  return (
    <>
      <SortFields
        sort={v.sort}
        columns={columns}
        onChange={(sort) => onChange(withOptional(v, 'sort', sort))}
      />
      <Switch
        size="xs"
        label={t('Totals')}
        description={t('Set the format of a column to text if its sum makes no sense')}
        checked={v.hasTotals ?? false}
        onChange={(event) => onChange(withOptional(v, 'hasTotals', event.currentTarget.checked || undefined))}
      />
      <Text size="xs" fw={500}>
        {t('Columns')}
      </Text>
      {columns.length === 0 && (
        <Text size="xs" c="dimmed">
          {t('Run the query to see its columns.')}
        </Text>
      )}
      <Stack gap="xs">
        {shown.map((column, index) => (
          <div key={column.field}>
            <Group gap={4} wrap="nowrap" justify="space-between">
              <Checkbox
                size="xs"
                label={column.field}
                checked
                disabled={shown.length === 1}
                onChange={() => change(shown.toSpliced(index, 1))}
                styles={{ label: { overflowWrap: 'anywhere' } }}
              />
              <Group gap={0} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  size={24}
                  aria-label={t('Move {field} up', { field: column.field })}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  size={24}
                  aria-label={t('Move {field} down', { field: column.field })}
                  disabled={index === shown.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={14} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
            <More label={t('{field} options', { field: column.field })}>
              <TextInput
                label={t('Label')}
                size="xs"
                maxLength={1000}
                placeholder={column.field}
                value={column.label ?? ''}
                onChange={(event) => {
                  const label = event.currentTarget.value || undefined;
                  change(shown.with(index, withOptional(column, 'label', label)));
                }}
              />
              <FormatFields
                label={t('Format')}
                format={column.format}
                onChange={(format) => change(shown.with(index, withOptional(column, 'format', format)))}
              />
              <CellFields
                column={column}
                columns={columns}
                onChange={(changed) => change(shown.with(index, changed))}
              />
              <ThresholdFields
                thresholds={column.thresholds}
                onChange={(thresholds) =>
                  change(shown.with(index, withOptional(column, 'thresholds', thresholds)))
                }
              />
            </More>
          </div>
        ))}
        {hidden.map((name) => (
          <Checkbox
            key={name}
            size="xs"
            label={name}
            checked={false}
            onChange={() => change([...shown, { field: name }])}
            styles={{ label: { overflowWrap: 'anywhere' } }}
          />
        ))}
      </Stack>
    </>
  );
}
