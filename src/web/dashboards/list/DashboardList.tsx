import { Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { dashboardListQuery } from './queries.ts';
import type { ListFilter, ListSearch, ListSort } from './search.ts';
import { DashboardTable, DashboardTableSkeleton } from './DashboardTable.tsx';
import { EmptyList } from './EmptyList.tsx';

const sorts = [
  { value: 'updated', label: 'Last updated' },
  { value: 'name', label: 'Name' },
  { value: 'created', label: 'Newest' },
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
  const { q, show, sort } = search;
  const list = useInfiniteQuery({
    ...dashboardListQuery(orgId, search),
    // The previous results stay while a search is being typed, but not after the filter or order has changed.
    placeholderData: (before, query) =>
      isSameList(query?.queryKey, [orgId, show, sort]) ? before : undefined,
  });
  const dashboards = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const hasAny = dashboards.length > 0 || list.hasNextPage;
  const change = (next: { q?: string; show?: ListFilter | undefined; sort?: ListSort }) =>
    onSearch(withoutEmpty({ ...search, ...next }));
  const filters = [
    { value: 'all', label: 'All' },
    ...(orgId === undefined ? [] : [{ value: 'own', label: 'Owned by me' }]),
    { value: 'starred', label: 'Starred' },
    { value: 'recent', label: 'Recent' },
  ];
  if (q === undefined && show === undefined && list.data !== undefined && !hasAny) return emptyState;
  const content = () => {
    if (list.error !== null && list.data === undefined) {
      return <Failure error={list.error} retry={() => void list.refetch()} />;
    }
    if (list.data === undefined) return <DashboardTableSkeleton />;
    if (!hasAny) {
      return <EmptyList search={search} onClear={() => onSearch(show === undefined ? {} : { show })} />;
    }
    return (
      <Stack>
        <DashboardTable dashboards={dashboards} orgId={orgId} />
        <MoreButton list={list} noun="dashboard">
          Show more
        </MoreButton>
      </Stack>
    );
  };
  return (
    <Stack>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Filter dashboards"
          data={filters}
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : (value as ListFilter) })}
        />
        <div style={{ flex: '1 1 200px' }}>
          <SearchField label="Search dashboards" value={q ?? ''} onChange={(q) => change({ q })} />
        </div>
        <NativeSelect
          aria-label="Sort by"
          data={show === 'recent' ? [{ value: 'recent', label: 'Last opened' }] : sorts}
          value={show === 'recent' ? 'recent' : (sort ?? 'updated')}
          onChange={(event) => change({ sort: event.currentTarget.value as ListSort })}
        />
      </Group>
      <div aria-live="polite" aria-busy={list.isFetching}>
        {content()}
      </div>
    </Stack>
  );
}

/** Whether a list differs only in the search text. */
function isSameList(key: readonly unknown[] | undefined, [orgId, show, sort]: readonly unknown[]): boolean {
  if (key === undefined) return false;
  const [, , place, search] = key as [unknown, unknown, unknown, ListSearch];
  return place === (orgId ?? 'personal') && search.show === show && search.sort === sort;
}

const withoutEmpty = (search: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
