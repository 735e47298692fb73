import { Group, Paper, Stack, Table, Text, ThemeIcon } from '@mantine/core';
import { IconDatabase, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { dataSourcesQuery } from '../ui/server-data/data-source-queries.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { Page } from '../ui/page/Page.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { NearLimitNotice } from '../ui/usage/NearLimit.tsx';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';
import { reasonAgainstCreating, sourceKinds } from './kinds/registry.ts';

/** The data sources of an organization. */
export function DataSourcesPage(): ReactNode {
  const { orgId } = useParams({ from: paths.dataSources });
  const navigate = useNavigate();
  const organization = useOrganization(orgId);
  const sources = useQuery(dataSourcesQuery(orgId));
  const reason = organization && reasonAgainstCreating(organization.role);
  const create = (
    <ActionButton
      reason={reason}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ to: paths.newDataSource, params: { orgId } })}
    >
      {t('New data source')}
    </ActionButton>
  );
  const isEmpty = sources.data?.length === 0;
  return (
    <Page
      title={t('Data sources')}
      description={t('Where reports get their data: uploaded files and PostgreSQL servers.')}
      actions={isEmpty ? undefined : create}
    >
      <NearLimitNotice orgId={orgId} />
      {sources.isPending && <Waiting height={160} />}
      {sources.isError && <Failure error={sources.error} retry={() => void sources.refetch()} />}
      {isEmpty && (
        <EmptyState icon={IconDatabase} title={t('No data yet')} action={create}>
          {t(
            'Upload a CSV, JSON or Parquet file, or connect a PostgreSQL server. Then query it with a report.',
          )}
        </EmptyState>
      )}
      {sources.data !== undefined && !isEmpty && (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={320}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Name')}</Table.Th>
                  <Table.Th visibleFrom="sm">{t('Updated')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sources.data.map((source) => (
                  <SourceRow key={source.id} source={source} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Page>
  );
}

function SourceRow({ source }: { readonly source: DataSource }): ReactNode {
  const { icon: Icon, placeOf } = sourceKinds[source.kind];
  return (
    <Table.Tr>
      <Table.Td>
        <Group wrap="nowrap" gap="sm">
          <ThemeIcon variant="light" size="lg" aria-hidden>
            <Icon size={18} />
          </ThemeIcon>
          <Stack gap={0} miw={0}>
            <Text
              renderRoot={(props) => (
                <Link {...props} to={paths.dataSource} params={{ dataSourceId: source.id }} />
              )}
              fw={500}
              c="inherit"
              style={{ overflowWrap: 'anywhere' }}
            >
              {source.name}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {placeOf(source)}
            </Text>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm" w={160}>
        <Text size="sm" c="dimmed">
          <TimeAgo at={source.updatedAt} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
