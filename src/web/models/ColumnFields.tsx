import { Code, Group, Paper, Stack, Switch, Text, TextInput } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import type { ColumnModel } from '#shared/models.ts';
import { FormatFields } from '../visualizations/settings/FormatFields.tsx';
import { More } from '../visualizations/settings/More.tsx';
import { withOptional } from '../visualizations/settings/without.ts';

/** What an author writes about a column, beside some of its values. */
export const ColumnFields = memo(function ColumnFields({
  column,
  model,
  samples,
  onChange,
}: {
  readonly column: SourceTable['columns'][number];
  readonly model: ColumnModel | undefined;
  readonly samples: string;
  readonly onChange: (model: ColumnModel) => void;
}): ReactNode {
  const { name, sourceType, description } = column;
  const current = model ?? { name };
  return (
    <Paper withBorder p="sm" role="group" aria-label={name} style={{ contentVisibility: 'auto' }}>
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <div style={{ minWidth: 0 }}>
            <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>{' '}
            <Text span size="xs" c="dimmed">
              {sourceType}
            </Text>
            {samples !== '' && (
              <Text size="xs" c="dimmed" truncate="end">
                {samples}
              </Text>
            )}
          </div>
          <Switch
            size="xs"
            label={t('Hidden')}
            checked={current.isHidden ?? false}
            onChange={(event) => onChange({ ...current, isHidden: event.currentTarget.checked })}
          />
        </Group>
        <Group gap="xs" align="flex-end">
          <TextInput
            style={{ flex: '1 1 180px' }}
            label={t('Display name')}
            size="xs"
            maxLength={200}
            placeholder={name}
            value={current.displayName ?? ''}
            onChange={(event) => onChange({ ...current, displayName: event.currentTarget.value })}
          />
          <TextInput
            style={{ flex: '3 1 240px' }}
            label={t('Description')}
            size="xs"
            maxLength={10_000}
            placeholder={description}
            value={current.description ?? ''}
            onChange={(event) => onChange({ ...current, description: event.currentTarget.value })}
          />
        </Group>
        <More label={t('Format')}>
          <FormatFields
            label={t('Format')}
            format={current.format}
            onChange={(format) => onChange(withOptional(current, 'format', format))}
          />
        </More>
      </Stack>
    </Paper>
  );
});
