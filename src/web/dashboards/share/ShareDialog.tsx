import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { TransferOwnership } from './TransferOwnership.tsx';
import { PeopleWithAccess } from './PeopleWithAccess.tsx';
import { ShareLink } from './ShareLink.tsx';
import { accessQuery, permissionsQuery, type SharedDashboard } from './queries.ts';

/** Shows and changes who has access to a dashboard and who owns it. */
export const ShareDialog = ({
  dashboard,
  opened,
  onClose,
}: {
  readonly dashboard: SharedDashboard;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Share" size="lg">
    {dashboard.organizationId === undefined ? (
      <Alert title="This dashboard is private">
        It doesn't belong to an organization, so there are no members to share it with. You can only share
        dashboards of an organization.
      </Alert>
    ) : (
      <Stack gap="xl">
        <ShareLink organizationId={dashboard.organizationId} />
        <Sharing dashboard={dashboard} organizationId={dashboard.organizationId} />
      </Stack>
    )}
  </Modal>
);

const notManager = 'Only its owner and the admins of the organization can change who has access.';

function Sharing({
  dashboard,
  organizationId,
}: {
  readonly dashboard: SharedDashboard;
  readonly organizationId: string;
}): ReactNode {
  const permissions = useQuery(permissionsQuery(dashboard.id));
  const canReadAccess = permissions.data !== undefined && permissions.data.access !== 'view';
  const access = useQuery({ ...accessQuery(dashboard.id), enabled: canReadAccess });
  const members = useQuery({ ...allMembersQuery(organizationId), enabled: canReadAccess });
  const error = permissions.error ?? access.error ?? members.error;
  if (error !== null) {
    const retry = () => void Promise.all([permissions.refetch(), access.refetch(), members.refetch()]);
    return <Failure error={error} retry={retry} />;
  }
  if (permissions.data?.access === 'view') {
    return <Text>{`You can view this dashboard. ${notManager}`}</Text>;
  }
  if (permissions.data === undefined || access.data === undefined || members.data === undefined) {
    return <Waiting height={280} />;
  }
  const reason = permissions.data.access === 'manage' ? undefined : notManager;
  return (
    <Stack gap="xl">
      <PeopleWithAccess dashboard={dashboard} access={access.data} members={members.data} reason={reason} />
      <TransferOwnership dashboard={dashboard} members={members.data} reason={reason} />
    </Stack>
  );
}
