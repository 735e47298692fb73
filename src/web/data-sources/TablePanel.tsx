import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconChartBar, IconChartHistogram, IconTags, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DataSource, SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { tablePreviewQuery } from '../ui/server-data/data-source-queries.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { RowTable } from '../ui/tables/RowTable.tsx';
import { DeleteTableDialog } from './DeleteTableDialog.tsx';
import { sourceKinds } from './kinds/registry.ts';
import { sizeOf } from './table-size.ts';
import { rich } from '../ui/text/rich.tsx';

/** A table: its columns with their types, and its first rows. */
export function TablePanel({
  source,
  table,
}: {
  readonly source: DataSource;
  readonly table: SourceTable;
}): ReactNode {
  const [isDeleting, setIsDeleting] = useState(false);
  const { schema, name } = table;
  const { hasUploads } = sourceKinds[source.kind];
  const navigate = useNavigate();
  const role = useOrganization(source.organizationId)?.role;
  const preview = useQuery(tablePreviewQuery(source.id, { schema, table: name }));
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={3} fz="md" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Text size="xs" c="dimmed">
              {sizeOf(table)}
              {preview.data?.isCutOff === true &&
                t('; the first {rowCount} rows are shown', { rowCount: preview.data.rowCount })}
            </Text>
          </div>
          <Group gap="xs">
            <ActionButton
              size="xs"
              leftSection={<IconChartBar size={14} aria-hidden />}
              reason={
                table.fault === undefined
                  ? role && reasonAgainst('report.create', role)
                  : t('It can’t be opened.')
              }
              onClick={() =>
                void navigate({
                  to: paths.newReport,
                  params: { orgId: source.organizationId },
                  search: { source: source.id, schema, table: name },
                })
              }
            >
              {t('Build a query')}
            </ActionButton>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconChartHistogram size={14} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={paths.exploreTable}
                  params={{ dataSourceId: source.id }}
                  search={{ table: name, schema }}
                />
              )}
            >
              {t('Explore')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTags size={14} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={paths.describeTable}
                  params={{ dataSourceId: source.id }}
                  search={{ table: name, schema }}
                />
              )}
            >
              {t('Describe this table')}
            </Button>
            {hasUploads && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => setIsDeleting(true)}
              >
                {t('Delete table')}
              </Button>
            )}
          </Group>
        </Group>
        {preview.isPending && <Waiting height={240} />}
        {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
        {preview.isSuccess && (
          <RowTable
            label={t('First rows of {name}', { name })}
            columns={preview.data.columns}
            rows={preview.data.rows}
          />
        )}
        {preview.data?.rowCount === 0 && (
          <Text size="sm" c="dimmed">
            {t('The table has no rows.')}
          </Text>
        )}
        {hasUploads && (
          <Text size="xs" c="dimmed">
            {rich(
              'Use <code>{name}</code> in queries. To replace the table, upload a file with the same name. Reports then show the new rows.',
              { name, code: (text) => <Code>{text}</Code> },
            )}
          </Text>
        )}
      </Stack>
      {isDeleting && <DeleteTableDialog source={source} name={name} close={() => setIsDeleting(false)} />}
    </Paper>
  );
}
