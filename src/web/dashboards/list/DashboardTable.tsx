import { Paper, Skeleton, Stack, Table, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import type { Folder } from '#contract/records/folders.ts';
import { t } from '#shared/language/messages.ts';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { pathText } from '../../ui/folders/tree.ts';
import { SelectAllBox } from '../../ui/selection/SelectBox.tsx';
import type { Selection } from '../../ui/selection/use-selection.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { DashboardRow } from './DashboardRow.tsx';

/** The dashboards of a list. */
export function DashboardTable({
  dashboards,
  orgId,
  folders,
  selection,
}: {
  readonly dashboards: readonly DashboardListItem[];
  readonly orgId: string | undefined;
  /** The folders whose paths are shown; none while the list shows a single folder. */
  readonly folders: readonly Folder[];
  readonly selection: Selection<DashboardListItem> | undefined;
}): ReactNode {
  const ownerOf = useOwners(orgId);
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead visibleFrom="sm">
          <Table.Tr>
            {selection !== undefined && (
              <Table.Th w={32} pr={0}>
                <SelectAllBox selection={selection} />
              </Table.Th>
            )}
            <Table.Th>
              <VisuallyHidden>{t('Starred')}</VisuallyHidden>
            </Table.Th>
            <Table.Th>{t('Name')}</Table.Th>
            {orgId !== undefined && <Table.Th visibleFrom="sm">{t('Owner')}</Table.Th>}
            <Table.Th visibleFrom="sm">{t('Updated')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('Actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dashboards.map((dashboard) => (
            <DashboardRow
              key={dashboard.id}
              dashboard={dashboard}
              selection={selection}
              path={pathText(folders, dashboard.folderId)}
              owner={orgId === undefined ? undefined : ownerOf(dashboard.userId)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** A placeholder for a list that is loading. */
export const DashboardTableSkeleton = (): ReactNode => (
  <Paper withBorder p="md" role="status" aria-label={t('Loading dashboards')}>
    <Stack gap="lg">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} h={24} />
      ))}
    </Stack>
  </Paper>
);

/** Returns a function that returns the name of an owner; empty while the members load. */
function useOwners(orgId: string | undefined): (userId: string) => string {
  const { data: signedIn } = useQuery(sessionQuery);
  const { data: members } = useQuery({ ...allMembersQuery(orgId ?? ''), enabled: orgId !== undefined });
  const names = new Map(members?.map(({ userId, name, email }) => [userId, name === '' ? email : name]));
  return (userId) => {
    if (userId === signedIn?.user.id) return t('You');
    return names.get(userId) ?? (members === undefined ? '' : t('Former member'));
  };
}
