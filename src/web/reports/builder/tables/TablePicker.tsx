import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconSql, IconTable } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { findModel, tableTitle, type TableModel } from '#shared/models.ts';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { sizeOf } from '../../../data-sources/table-size.ts';
import classes from './TablePicker.module.css';

/** The tables of a data source, to choose the one that a query starts from. */
export function TablePicker({
  tables,
  models,
  choose,
}: {
  readonly tables: readonly SourceTable[];
  readonly models: readonly TableModel[];
  readonly choose: (table: SourceTable) => void;
}): ReactNode {
  const [search, setSearch] = useState('');
  if (tables.length === 0) {
    return (
      <EmptyState icon={IconTable} title={t('No tables yet')}>
        {t('The data source has no tables that you can query.')}
      </EmptyState>
    );
  }
  const words = search.trim().toLowerCase();
  const isOneSchema = tables.every(({ schema }) => schema === tables[0]?.schema);
  const shown = tables.filter((table) => textOf(table, models).includes(words));
  return (
    <Stack gap="xs">
      <SearchField label={t('Search tables and columns')} value={search} onChange={setSearch} />
      <ul className={classes.tables} aria-label={t('Tables')}>
        {shown.map((table) => {
          const model = findModel(models, table);
          const title = tableTitle(model, table);
          const isUnusable = table.fault !== undefined;
          return (
            <li key={`${table.schema}.${table.name}`}>
              <UnstyledButton
                className={classes.table}
                aria-disabled={isUnusable || undefined}
                onClick={() => !isUnusable && choose(table)}
              >
                <Group gap={6} wrap="nowrap">
                  <IconTable size={16} aria-hidden style={{ flex: 'none' }} />
                  <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {isOneSchema ? title : `${table.schema}.${title}`}
                  </Text>
                </Group>
                <Text size="xs" c="dimmed">
                  {sizeOf(table)}
                </Text>
                {(model?.description ?? table.description) !== undefined && (
                  <Text size="xs" lineClamp={2}>
                    {model?.description ?? table.description}
                  </Text>
                )}
                <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {table.columns.map(({ name }) => name).join(', ')}
                </Text>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No table or column has this in its name.')}
        </Text>
      )}
    </Stack>
  );
}

function textOf(table: SourceTable, models: readonly TableModel[]): string {
  const model = findModel(models, table);
  const texts = [
    table.name,
    table.description ?? '',
    model?.displayName ?? '',
    model?.description ?? '',
    ...table.columns.map(({ name }) => name),
    ...(model?.columns ?? []).map(({ displayName }) => displayName ?? ''),
  ];
  return texts.join('\n').toLowerCase();
}

/** The choice between the builder and SQL for a new report. */
export const WriteSqlButton = ({ onClick }: { readonly onClick: () => void }): ReactNode => (
  <Button variant="default" size="sm" leftSection={<IconSql size={18} aria-hidden />} onClick={onClick}>
    {t('Write SQL')}
  </Button>
);
