import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { allMembersQuery } from '../ui/server-data/member-list-queries.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { TransferOwnership } from './TransferOwnership.tsx';
import { PeopleWithAccess } from './PeopleWithAccess.tsx';
import { ShareLink } from './ShareLink.tsx';
import { WhyAccess } from './WhyAccess.tsx';
import { accessQuery, permissionsQuery } from './queries.ts';
import { isOwned, wordsOf, type SharedRecord } from './shared-records.ts';

/** Shows and changes who has access to a record and who owns it. */
export const ShareDialog = ({
  record,
  link = location.href,
  opened,
  onClose,
}: {
  readonly record: SharedRecord;
  /** The address of the record, if that isn't the one of the page. */
  readonly link?: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode => (
  <Modal opened={opened} onClose={onClose} title={t('Share')} size="lg">
    {record.organizationId === undefined ? (
      <Alert title={t('This dashboard is private')}>
        {t(
          "It doesn't belong to an organization, so there are no members to share it with. You can only share dashboards of an organization.",
        )}
      </Alert>
    ) : (
      <Stack gap="xl">
        <ShareLink kind={record.kind} link={link} organizationId={record.organizationId} />
        <Sharing record={record} organizationId={record.organizationId} />
      </Stack>
    )}
  </Modal>
);

const notManager = t('Only its owner and the admins of the organization can change who has access.');

function Sharing({
  record,
  organizationId,
}: {
  readonly record: SharedRecord;
  readonly organizationId: string;
}): ReactNode {
  const permissions = useQuery(permissionsQuery(record));
  const canReadAccess = permissions.data?.access === 'edit' || permissions.data?.access === 'manage';
  const access = useQuery({ ...accessQuery(record), enabled: canReadAccess });
  const members = useQuery({ ...allMembersQuery(organizationId), enabled: canReadAccess });
  const error = permissions.error ?? access.error ?? members.error;
  if (error !== null) {
    const retry = () => void Promise.all([permissions.refetch(), access.refetch(), members.refetch()]);
    return <Failure error={error} retry={retry} />;
  }
  if (permissions.data !== undefined && !canReadAccess) {
    const { youCan } = wordsOf[record.kind];
    return <Text>{`${permissions.data.access === 'use' ? youCan.use : youCan.view} ${notManager}`}</Text>;
  }
  if (permissions.data === undefined || access.data === undefined || members.data === undefined) {
    return <Waiting height={280} />;
  }
  const reason = permissions.data.access === 'manage' ? undefined : notManager;
  return (
    <Stack gap="xl">
      <PeopleWithAccess
        record={record}
        organizationId={organizationId}
        access={access.data}
        members={members.data}
        reason={reason}
      />
      <WhyAccess record={record} members={members.data} reason={reason} />
      {isOwned(record) && <TransferOwnership record={record} members={members.data} reason={reason} />}
    </Stack>
  );
}
