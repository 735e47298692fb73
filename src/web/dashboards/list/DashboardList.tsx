import { Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { dashboardListQuery } from './list-queries.ts';
import type { ListFilter, ListSearch, ListSort } from './search.ts';
import { DashboardTable, DashboardTablePending } from './DashboardTable.tsx';
import { EmptyList } from './EmptyList.tsx';

const sorts = [
  { value: 'updated', label: 'Last updated' },
  { value: 'name', label: 'Name' },
  { value: 'created', label: 'Newest' },
];

/** A list of dashboards that can be searched, filtered and sorted, all by the address. */
export function DashboardList({
  orgId,
  search,
  onSearch,
  whenNone,
}: {
  /** Left out: one's own that belong to no organization. */
  readonly orgId?: string;
  readonly search: ListSearch;
  readonly onSearch: (search: ListSearch) => void;
  /** What stands where there is not a single dashboard yet. */
  readonly whenNone: ReactNode;
}): ReactNode {
  const { q, show, sort } = search;
  const list = useInfiniteQuery({
    ...dashboardListQuery(orgId, search),
    // While what is looked for is being typed, what was found stays; of another filter it would be wrong.
    placeholderData: (before, query) => (sameList(query?.queryKey, [orgId, show, sort]) ? before : undefined),
  });
  const dashboards = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const hasAny = dashboards.length > 0 || list.hasNextPage;
  const change = (next: { q?: string; show?: ListFilter | undefined; sort?: ListSort }) =>
    onSearch(withoutNothing({ ...search, ...next }));
  const filters = [
    { value: 'all', label: 'All' },
    ...(orgId === undefined ? [] : [{ value: 'own', label: 'Owned by me' }]),
    { value: 'starred', label: 'Starred' },
    { value: 'recent', label: 'Recent' },
  ];
  if (q === undefined && show === undefined && list.data !== undefined && !hasAny) return whenNone;
  const content = () => {
    if (list.error !== null && list.data === undefined) {
      return <Failure error={list.error} retry={() => void list.refetch()} />;
    }
    if (list.data === undefined) return <DashboardTablePending />;
    if (!hasAny) {
      return <EmptyList search={search} onClear={() => onSearch(show === undefined ? {} : { show })} />;
    }
    return (
      <Stack>
        <DashboardTable dashboards={dashboards} orgId={orgId} />
        <MoreButton list={list}>Show more</MoreButton>
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

/** Whether a list differs in nothing but what is looked for. */
function sameList(key: readonly unknown[] | undefined, [orgId, show, sort]: readonly unknown[]): boolean {
  if (key === undefined) return false;
  const [, , place, search] = key as [unknown, unknown, unknown, ListSearch];
  return place === (orgId ?? 'personal') && search.show === show && search.sort === sort;
}

const withoutNothing = (search: Readonly<Record<string, unknown>>): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
