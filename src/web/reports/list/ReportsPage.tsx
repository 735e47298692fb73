import { Anchor, Group, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { IconChartBar, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources.ts';
import type { ReportSummary } from '#contract/reports/reports.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { dataSourcesQuery } from '../../ui/server-data/data-source-queries.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { reportListQuery } from '../queries.ts';

/** The reports of an organization, with a search and a filter by data source. */
export function ReportsPage(): ReactNode {
  const { orgId } = useParams({ from: paths.reports });
  const search = useSearch({ from: paths.reports });
  const navigate = useNavigate({ from: paths.reports });
  const role = useOrganization(orgId)?.role;
  const sources = useQuery(dataSourcesQuery(orgId));
  const reports = useInfiniteQuery(reportListQuery(orgId, search));
  const items = reports.data?.pages.flatMap((page) => page.items);
  const isFiltered = search.q !== undefined || search.source !== undefined;
  const create = (
    <ActionButton
      reason={role && reasonAgainst('report.create', role)}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ to: paths.newReport, params: { orgId } })}
    >
      New report
    </ActionButton>
  );
  const isFirst = items?.length === 0 && !isFiltered;
  return (
    <Page
      title="Reports"
      description="A report queries a data source and shows the result as a table or a chart."
      actions={isFirst ? undefined : create}
    >
      {!isFirst && (
        <Group gap="sm">
          <SearchField
            label="Search reports"
            value={search.q ?? ''}
            onChange={(q) =>
              void navigate({
                search: ({ q: _, ...rest }) => (q === '' ? rest : { ...rest, q }),
                replace: true,
              })
            }
          />
          <Select
            aria-label="Data source"
            placeholder="All data sources"
            clearable
            clearButtonProps={{ 'aria-label': 'All data sources' }}
            data={sources.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={search.source ?? null}
            onChange={(source) =>
              void navigate({
                search: ({ source: _, ...rest }) => (source === null ? rest : { ...rest, source }),
                replace: true,
              })
            }
          />
        </Group>
      )}
      {reports.isPending && <Waiting height={240} />}
      {reports.isError && <Failure error={reports.error} retry={() => void reports.refetch()} />}
      {isFirst && (
        <EmptyState icon={IconChartBar} title="No reports yet" action={create}>
          {sources.data?.length === 0 ? (
            <>
              Reports query data.{' '}
              <Anchor renderRoot={(props) => <Link {...props} to={paths.dataSources} params={{ orgId }} />}>
                Add a data source
              </Anchor>{' '}
              first, then create a report.
            </>
          ) : (
            'Create the first one: choose a data source, query it with SQL, and choose a chart type.'
          )}
        </EmptyState>
      )}
      {items?.length === 0 && isFiltered && (
        <EmptyState icon={IconSearch} title="No matching reports">
          Try another search, or search all data sources.
        </EmptyState>
      )}
      {items !== undefined && items.length > 0 && <ReportList items={items} sources={sources.data ?? []} />}
      <MoreButton list={reports} noun="report">
        Show more
      </MoreButton>
    </Page>
  );
}

function ReportList({
  items,
  sources,
}: {
  readonly items: readonly ReportSummary[];
  readonly sources: readonly DataSource[];
}): ReactNode {
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm" w={200}>
              Data source
            </Table.Th>
            <Table.Th visibleFrom="sm" w={150}>
              Updated
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ id, name, description, dataSourceId, updatedAt }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Stack gap={0}>
                  <Text
                    fw={500}
                    c="inherit"
                    style={{ overflowWrap: 'anywhere' }}
                    renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId: id }} />}
                  >
                    {name}
                  </Text>
                  {description !== undefined && (
                    <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
                      {description}
                    </Text>
                  )}
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed" truncate>
                  {sources.find((source) => source.id === dataSourceId)?.name ?? '–'}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed">
                  <TimeAgo at={updatedAt} />
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
