import { Grid, NavLink, Paper, Stack, Text } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DataSource, SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { sourceKinds } from './kinds/registry.ts';
import { sizeOf } from './table-size.ts';
import { TablePanel } from './TablePanel.tsx';
import { SearchField } from '../ui/forms/SearchField.tsx';

/** The tables of a data source, with the selected one. */
export function Tables({
  source,
  tables,
}: {
  readonly source: DataSource;
  readonly tables: UseQueryResult<readonly SourceTable[]>;
}): ReactNode {
  const { table, schema } = useSearch({ from: paths.dataSource });
  const [searched, setSearched] = useState('');
  if (tables.isPending) return <Waiting height={200} />;
  if (tables.isError) return <Failure error={tables.error} retry={() => void tables.refetch()} />;
  if (tables.data.length === 0) {
    return (
      <EmptyState icon={IconTable} title={t('No tables yet')}>
        {sourceKinds[source.kind].noTables}
      </EmptyState>
    );
  }
  const search = searched.trim().toLowerCase();
  const shown = tables.data.filter(({ name, schema }) => `${schema}.${name}`.toLowerCase().includes(search));
  const chosen =
    tables.data.find((one) => one.name === table && (schema === undefined || one.schema === schema)) ??
    shown[0];
  const isOneSchema = tables.data.every((one) => one.schema === tables.data[0]?.schema);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 4, lg: 3 }}>
        <Stack gap="xs">
          {tables.data.length > 8 && (
            <SearchField label={t('Search tables')} value={searched} onChange={setSearched} />
          )}
          <Paper
            withBorder
            p={4}
            component="nav"
            aria-label={t('Tables')}
            mah={480}
            style={{ overflowY: 'auto' }}
          >
            {shown.map((one) => (
              <NavLink
                key={`${one.schema}.${one.name}`}
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to={paths.dataSource}
                    params={{ dataSourceId: source.id }}
                    search={{ table: one.name, schema: one.schema }}
                    replace
                    resetScroll={false}
                  />
                )}
                active={one === chosen}
                aria-current={one === chosen ? 'true' : undefined}
                label={isOneSchema ? one.name : `${one.schema}.${one.name}`}
                description={sizeOf(one)}
                styles={{
                  root: { borderRadius: 'var(--mantine-radius-sm)' },
                  label: { overflowWrap: 'anywhere' },
                }}
              />
            ))}
            {shown.length === 0 && (
              <Text size="sm" c="dimmed" p="xs">
                {t('No matching tables.')}
              </Text>
            )}
          </Paper>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8, lg: 9 }}>
        {chosen !== undefined && (
          <TablePanel key={`${chosen.schema}.${chosen.name}`} source={source} table={chosen} />
        )}
      </Grid.Col>
    </Grid>
  );
}
