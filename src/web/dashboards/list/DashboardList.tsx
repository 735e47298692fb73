import { Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { BulkBar } from '../../folders/BulkBar.tsx';
import { EmptyFolder } from '../../folders/EmptyFolder.tsx';
import { FolderBar } from '../../folders/FolderBar.tsx';
import type { FolderLink } from '../../folders/folder-link.ts';
import { useFolderView } from '../../folders/use-folder-view.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useSelection } from '../../ui/selection/use-selection.ts';
import { dashboardListQuery } from './queries.ts';
import type { ListFilter, ListSearch, ListSort } from './search.ts';
import { DashboardTable, DashboardTableSkeleton } from './DashboardTable.tsx';
import { EmptyList } from './EmptyList.tsx';
import { StarredDashboards } from './StarredDashboards.tsx';

const sorts = [
  { value: 'updated', label: t('Last updated') },
  { value: 'name', label: t('Name') },
  { value: 'created', label: t('Newest') },
];

/** A list of dashboards, with a search, filter and order that are part of the URL. */
export function DashboardList({
  orgId,
  search,
  onSearch,
  emptyState,
}: {
  /** Left out for private dashboards. */
  readonly orgId?: string;
  readonly search: ListSearch;
  readonly onSearch: (search: ListSearch) => void;
  /** Shown if there are no dashboards yet. */
  readonly emptyState: ReactNode;
}): ReactNode {
  const { q, show, sort, folder } = search;
  const view = useFolderView(orgId, folder, q !== undefined || show !== undefined);
  const list = useInfiniteQuery({
    ...dashboardListQuery(orgId, search, view.filter),
    enabled: view.isReady,
    // The previous results stay while a search is being typed, but not after the filter or order has changed.
    placeholderData: (before, query) =>
      isSameList(query?.queryKey, [orgId, show, sort, view.filter]) ? before : undefined,
  });
  const dashboards = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const selection = useSelection(dashboards, JSON.stringify([orgId, folder, show]));
  const hasAny = dashboards.length > 0 || list.hasNextPage;
  const change = (next: { q?: string; show?: ListFilter | undefined; sort?: ListSort }) =>
    onSearch(withoutEmpty({ ...search, ...next }));
  const filters = [
    { value: 'all', label: t('All') },
    ...(orgId === undefined ? [] : [{ value: 'own', label: t('Owned by me') }]),
    { value: 'starred', label: t('Starred') },
    { value: 'recent', label: t('Recent') },
  ];
  const isUnused = q === undefined && show === undefined && !view.isBrowsing;
  if (isUnused && list.data !== undefined && !hasAny) return emptyState;
  const content = () => {
    if (list.error !== null && list.data === undefined) {
      return <Failure error={list.error} retry={() => void list.refetch()} />;
    }
    if (list.data === undefined) return <DashboardTableSkeleton />;
    if (!hasAny && view.isBrowsing) return <EmptyFolder view={view}>{t('No dashboards here.')}</EmptyFolder>;
    if (!hasAny) {
      return <EmptyList search={search} onClear={() => onSearch(withoutEmpty({ show, folder }))} />;
    }
    return (
      <Stack>
        <DashboardTable
          dashboards={dashboards}
          orgId={orgId}
          folders={view.isBrowsing ? [] : view.folders}
          selection={orgId === undefined ? undefined : selection}
        />
        <MoreButton
          list={list}
          total={(count) => t('{count, plural, one {# dashboard} other {# dashboards}}', { count })}
        >
          {t('Show more')}
        </MoreButton>
        {orgId !== undefined && <BulkBar orgId={orgId} kind="dashboard" selection={selection} />}
      </Stack>
    );
  };
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('Filter dashboards')}
          data={filters}
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : (value as ListFilter) })}
        />
        <div style={{ flex: '1 1 200px' }}>
          <SearchField label={t('Search dashboards')} value={q ?? ''} onChange={(q) => change({ q })} />
        </div>
        <NativeSelect
          aria-label={t('Sort by')}
          data={show === 'recent' ? [{ value: 'recent', label: t('Last opened') }] : sorts}
          value={show === 'recent' ? 'recent' : (sort ?? 'updated')}
          onChange={(event) => change({ sort: event.currentTarget.value as ListSort })}
        />
      </Group>
      {orgId !== undefined && q === undefined && show === undefined && folder === undefined && (
        <StarredDashboards orgId={orgId} />
      )}
      {orgId !== undefined && (
        <FolderBar
          orgId={orgId}
          view={view}
          folder={folder}
          linkTo={folderLink(orgId, search)}
          onOpen={(next) => onSearch(withoutEmpty({ sort, folder: next }))}
        />
      )}
      <div aria-live="polite" aria-busy={list.isFetching}>
        {content()}
      </div>
    </Stack>
  );
}

/** Returns links to folders, which keep the order. */
const folderLink =
  (orgId: string, { sort }: ListSearch): FolderLink =>
  (folder) =>
  (props) => (
    <Link {...props} to={paths.dashboards} params={{ orgId }} search={withoutEmpty({ sort, folder })} />
  );

/** Whether a list differs only in the search text. */
function isSameList(
  key: readonly unknown[] | undefined,
  [orgId, show, sort, folderId]: readonly unknown[],
): boolean {
  if (key === undefined) return false;
  const [, , place, search] = key as [unknown, unknown, unknown, ListSearch & { folderId?: string }];
  return (
    place === (orgId ?? 'personal') &&
    search.show === show &&
    search.sort === sort &&
    search.folderId === folderId
  );
}

const withoutEmpty = (search: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
