import { ActionIcon, Group, Paper, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconEye, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { findColumnModel, findModel, type TableModel } from '#shared/models.ts';
import type { SourceDialect } from '../../data-sources/kinds/dialects.ts';
import { modelsQuery, tablesQuery } from '../../ui/server-data/data-source-queries.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { tableInQuery } from './table-name.ts';
import { TablePreviewDialog } from './TablePreviewDialog.tsx';
import { useDialect } from './use-dialect.ts';
import classes from './TablesBrowser.module.css';

/** The tables of a source with their columns. A click inserts the name into the query. */
export function TablesBrowser({
  dataSourceId,
  insert,
}: {
  readonly dataSourceId: string;
  readonly insert: (text: string) => void;
}): ReactNode {
  const tables = useQuery(tablesQuery(dataSourceId));
  const { data: models = [] } = useQuery(modelsQuery(dataSourceId));
  const dialect = useDialect(dataSourceId);
  const [searched, setSearched] = useState('');
  const [previewed, setPreviewed] = useState<SourceTable>();
  const search = searched.trim().toLowerCase();
  const shown = tables.data?.filter((table) => {
    const model = findModel(models, table);
    const names = [table, ...table.columns].map(({ name }) => name);
    const titles = [model, ...(model?.columns ?? [])].map((described) => described?.displayName ?? '');
    return [...names, ...titles].some((text) => text.toLowerCase().includes(search));
  });
  const schemas = [...new Set(shown?.map(({ schema }) => schema))];
  return (
    <Paper withBorder p="xs" component="section" aria-label={t('Tables')}>
      <TextInput
        type="search"
        size="xs"
        aria-label={t('Search tables and columns')}
        placeholder={t('Search tables and columns')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={searched}
        onChange={(event) => setSearched(event.currentTarget.value)}
        mb="xs"
      />
      {(tables.isPending || (tables.isSuccess && dialect === undefined)) && <Waiting height={120} />}
      {tables.isError && <Failure error={tables.error} retry={() => void tables.refetch()} />}
      {shown?.length === 0 && (
        <Text size="xs" c="dimmed">
          {tables.data?.length === 0
            ? t('The source has no tables yet.')
            : t('Nothing has this in its name.')}
        </Text>
      )}
      <div className={classes.tables}>
        {dialect !== undefined &&
          schemas.map((schema) => (
            <div key={schema}>
              {schemas.length > 1 && (
                <Text size="xs" fw={600} c="dimmed" mt="xs">
                  {schema}
                </Text>
              )}
              {shown
                ?.filter((table) => table.schema === schema)
                .map((table) => (
                  <TableEntry
                    key={table.name}
                    table={table}
                    model={findModel(models, table)}
                    isOpen={search !== '' || shown.length === 1}
                    dialect={dialect}
                    insert={insert}
                    preview={() => setPreviewed(table)}
                  />
                ))}
            </div>
          ))}
      </div>
      {previewed !== undefined && (
        <TablePreviewDialog
          dataSourceId={dataSourceId}
          table={previewed}
          close={() => setPreviewed(undefined)}
        />
      )}
    </Paper>
  );
}

function TableEntry({
  table,
  model,
  isOpen: isOpenByDefault,
  dialect,
  insert,
  preview,
}: {
  readonly table: SourceTable;
  readonly model: TableModel | undefined;
  readonly isOpen: boolean;
  readonly dialect: SourceDialect;
  readonly insert: (text: string) => void;
  readonly preview: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isOpenByDefault;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Group gap={0} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          size={24}
          aria-label={t('Columns of {name}', { name: table.name })}
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
        >
          <Icon size={14} aria-hidden />
        </ActionIcon>
        <UnstyledButton
          className={classes.name}
          title={titleOf(table.name, model?.description ?? table.description)}
          onClick={() => insert(tableInQuery(dialect, table))}
        >
          {table.name} <span className={classes.title}>{model?.displayName}</span>
        </UnstyledButton>
        <Tooltip label={t('First rows')}>
          <ActionIcon
            variant="subtle"
            size={24}
            aria-label={t('First rows of {name}', { name: table.name })}
            onClick={preview}
          >
            <IconEye size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {isOpen && (
        <ul className={classes.columns}>
          {table.columns.map(({ name, sourceType, description }) => {
            const column = findColumnModel(model, name);
            return (
              <li key={name}>
                <UnstyledButton
                  className={classes.name}
                  title={titleOf(name, column?.description ?? description)}
                  onClick={() => insert(dialect.quoteIfNeeded(name))}
                >
                  {name} <span className={classes.title}>{column?.displayName}</span>{' '}
                  <span className={classes.type}>{sourceType}</span>
                </UnstyledButton>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

const titleOf = (name: string, description: string | undefined): string =>
  [description, t('Write {name} into the query', { name })].filter(Boolean).join('\n');
