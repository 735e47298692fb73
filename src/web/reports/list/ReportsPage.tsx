import { Anchor, Group, Paper, Select, Table, VisuallyHidden } from '@mantine/core';
import { IconChartBar, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import type { Folder } from '#contract/records/folders.ts';
import type { ReportSummary } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { dataSourcesQuery } from '../../ui/server-data/data-source-queries.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { NearLimitNotice } from '../../ui/usage/NearLimit.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { BulkBar } from '../../folders/BulkBar.tsx';
import { EmptyFolder } from '../../folders/EmptyFolder.tsx';
import { FolderBar } from '../../folders/FolderBar.tsx';
import type { FolderLink } from '../../folders/folder-link.ts';
import { pathText } from '../../ui/folders/tree.ts';
import { useFolderView } from '../../folders/use-folder-view.ts';
import { SelectAllBox } from '../../ui/selection/SelectBox.tsx';
import { useSelection, type Selection } from '../../ui/selection/use-selection.ts';
import { ReportRow } from './ReportRow.tsx';
import { reportListQuery } from '../queries.ts';
import { rich } from '../../ui/text/rich.tsx';

/** The reports of an organization, with a search and a filter by data source. */
export function ReportsPage(): ReactNode {
  const { orgId } = useParams({ from: paths.reports });
  const search = useSearch({ from: paths.reports });
  const navigate = useNavigate({ from: paths.reports });
  const role = useOrganization(orgId)?.role;
  const sources = useQuery(dataSourcesQuery(orgId));
  const isFiltered = search.q !== undefined || search.source !== undefined;
  const view = useFolderView(orgId, search.folder, isFiltered);
  const reports = useInfiniteQuery({
    ...reportListQuery(orgId, { ...search, folderId: view.filter }),
    enabled: view.isReady,
  });
  const items = reports.data?.pages.flatMap((page) => page.items);
  const selection = useSelection(items ?? [], JSON.stringify([orgId, search.folder, search.source]));
  const create = (
    <ActionButton
      reason={role && reasonAgainst('report.create', role)}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() =>
        void navigate({
          to: paths.newReport,
          params: { orgId },
          search: view.current === undefined ? {} : { folder: view.current.id },
        })
      }
    >
      {t('New report')}
    </ActionButton>
  );
  const isFirst = items?.length === 0 && !isFiltered && !view.isBrowsing;
  return (
    <Page
      title={t('Reports')}
      description={t('A report queries a data source and shows the result as a table or a chart.')}
      actions={isFirst ? undefined : create}
    >
      <NearLimitNotice orgId={orgId} />
      {!isFirst && (
        <Group gap="sm">
          <SearchField
            label={t('Search reports')}
            value={search.q ?? ''}
            onChange={(q) =>
              void navigate({
                search: ({ q: _, ...rest }) => (q === '' ? rest : { ...rest, q }),
                replace: true,
              })
            }
          />
          <Select
            aria-label={t('Data source')}
            placeholder={t('All data sources')}
            clearable
            clearButtonProps={{ 'aria-label': t('All data sources') }}
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
      {!isFirst && (
        <FolderBar
          orgId={orgId}
          view={view}
          folder={search.folder}
          linkTo={folderLink(orgId)}
          onOpen={(folder) =>
            void navigate({ search: folder === undefined ? {} : { folder }, replace: true })
          }
        />
      )}
      {items?.length === 0 && view.isBrowsing && (
        <EmptyFolder view={view}>{t('No reports here.')}</EmptyFolder>
      )}
      {reports.isPending && <Waiting height={240} />}
      {reports.isError && <Failure error={reports.error} retry={() => void reports.refetch()} />}
      {isFirst && (
        <EmptyState icon={IconChartBar} title={t('No reports yet')} action={create}>
          {sources.data?.length === 0 ? (
            <>
              {rich('Reports query data. <link>Add a data source</link> first, then create a report.', {
                link: (text) => (
                  <Anchor
                    renderRoot={(props) => <Link {...props} to={paths.dataSources} params={{ orgId }} />}
                  >
                    {text}
                  </Anchor>
                ),
              })}
            </>
          ) : (
            t('Create the first one: choose a data source, query it with SQL, and choose a chart type.')
          )}
        </EmptyState>
      )}
      {items?.length === 0 && isFiltered && (
        <EmptyState icon={IconSearch} title={t('No matching reports')}>
          {t('Try another search, or search all data sources.')}
        </EmptyState>
      )}
      {items !== undefined && items.length > 0 && (
        <ReportList
          items={items}
          sources={sources.data ?? []}
          folders={view.isBrowsing ? [] : view.folders}
          selection={selection}
        />
      )}
      <MoreButton
        list={reports}
        total={(count) => t('{count, plural, one {# report} other {# reports}}', { count })}
      >
        {t('Show more')}
      </MoreButton>
      <BulkBar orgId={orgId} kind="report" selection={selection} />
    </Page>
  );
}

function ReportList({
  items,
  sources,
  folders,
  selection,
}: {
  readonly items: readonly ReportSummary[];
  readonly sources: readonly DataSource[];
  /** The folders whose paths are shown. */
  readonly folders: readonly Folder[];
  readonly selection: Selection<ReportSummary>;
}): ReactNode {
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={32} pr={0}>
              <SelectAllBox selection={selection} />
            </Table.Th>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th visibleFrom="sm" w={200}>
              {t('Data source')}
            </Table.Th>
            <Table.Th visibleFrom="sm" w={150}>
              {t('Updated')}
            </Table.Th>
            <Table.Th w={60}>
              <VisuallyHidden>{t('Actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((report) => (
            <ReportRow
              key={report.id}
              report={report}
              selection={selection}
              source={sources.find(({ id }) => id === report.dataSourceId)?.name ?? '–'}
              path={pathText(folders, report.folderId)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** Returns links to folders. */
const folderLink =
  (orgId: string): FolderLink =>
  (folder) =>
  (props) => (
    <Link {...props} to={paths.reports} params={{ orgId }} search={folder === undefined ? {} : { folder }} />
  );
