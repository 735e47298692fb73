import { Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { queriedColumns } from '#shared/query-builder/queried-columns.ts';
import { isSameTable, type TableReference } from '#shared/models.ts';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { Waiting } from '../../../ui/page/Waiting.tsx';
import { dataSourcesQuery, modelsQuery, tablesQuery } from '../../../ui/server-data/data-source-queries.ts';
import { useOrganization } from '../../../ui/server-data/session.ts';
import type { EditedReport } from '../../edit/edited-report.ts';
import { shownColumns } from '../available.ts';
import { withStructure, type BuilderDialect } from '../content.ts';
import { TablePicker, WriteSqlButton } from './TablePicker.tsx';

/** The start of a query: its data source and its first table, or SQL instead. */
export function BuilderStart({
  report: { organizationId, content, change, draft },
  dialect,
  start,
  isFocused,
  onChosen,
  writeSql,
}: {
  readonly report: EditedReport;
  readonly dialect: BuilderDialect;
  /** The table to start from, if it is known. */
  readonly start: TableReference | undefined;
  /** Whether the search gets the focus, since people change the table. */
  readonly isFocused: boolean;
  readonly onChosen: () => void;
  readonly writeSql: () => void;
}): ReactNode {
  const sources = useQuery(dataSourcesQuery(organizationId));
  const tables = useQuery(tablesQuery(content.dataSourceId));
  const organization = useOrganization(organizationId);
  const models = useQuery(modelsQuery(content.dataSourceId));
  const section = useRef<HTMLDivElement>(null);
  const choose = ({ schema, name, columns }: SourceTable) => {
    const { timeZone, weekStart } = organization ?? {};
    const structure = {
      table: { schema, name, columns: queriedColumns(columns) },
      ...(timeZone !== undefined && { timeZone }),
      ...(weekStart !== undefined && { weekStart }),
    };
    const shown = shownColumns(structure, models.data ?? []);
    change(withStructure(content, { ...structure, ...(shown && { columns: shown }) }, dialect));
    onChosen();
  };
  // Not again when people change the table.
  const canStart = models.isFetched && !draft.canUndo;
  const known = canStart && start ? tables.data?.find((table) => isSameTable(table, start)) : undefined;
  useEffect(() => {
    if (known !== undefined) choose(known);
    // Only when the table is known.
  }, [known]);
  const isReady = tables.isSuccess && models.isFetched;
  useEffect(() => {
    if (isReady && isFocused) section.current?.querySelector<HTMLElement>('input[type=search]')?.focus();
  }, [isReady, isFocused]);
  return (
    <Paper ref={section} withBorder p="md" component="section" aria-label={t('Build a query')}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-end" gap="sm">
          <Select
            label={t('Data source')}
            size="sm"
            flex="1 1 180px"
            maw={320}
            allowDeselect={false}
            data={sources.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={content.dataSourceId}
            onChange={(chosen) => chosen !== null && change({ dataSourceId: chosen }, 'dataSourceId')}
          />
          <WriteSqlButton onClick={writeSql} />
        </Group>
        <Text size="sm" c="dimmed">
          {t('Choose the table that has what you want to know. You can join others later.')}
        </Text>
        {!isReady && !tables.isError && <Waiting height={240} />}
        {tables.isError && <Failure error={tables.error} retry={() => void tables.refetch()} />}
        {tables.isSuccess && isReady && (
          <TablePicker tables={tables.data} models={models.data ?? []} choose={choose} />
        )}
      </Stack>
    </Paper>
  );
}
