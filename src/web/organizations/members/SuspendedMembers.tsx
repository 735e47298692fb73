import { Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SuspendedMember } from '#contract/organizations/members.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { mayGive } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Section } from '../../ui/page/Section.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { roleNames } from '../../ui/text/roles.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { suspendedMembersQuery } from './queries.ts';

/** The people that the directory has deactivated, if there are any. For owners and admins. */
export function SuspendedMembers({
  orgId,
  myRole,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
}): ReactNode {
  const suspended = useQuery(suspendedMembersQuery(orgId));
  const [ended, setEnded] = useState<SuspendedMember>();
  if (suspended.error !== null)
    return <Failure error={suspended.error} retry={() => void suspended.refetch()} />;
  if (suspended.data === undefined || suspended.data.length === 0) return null;
  return (
    <Section
      title={t('Suspended members')}
      description={t(
        'Your directory has deactivated these people, so they have no access. They get their role back when they are activated there.',
      )}
    >
      <Table verticalSpacing="xs" horizontalSpacing="xs" aria-label={t('Suspended members')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Person')}</Table.Th>
            <Table.Th>{t('Role')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Suspended')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('Actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {suspended.data.map((member) => (
            <Table.Tr key={member.userId}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">{member.name}</Text>
                <Text size="sm" c="dimmed">
                  {member.email}
                </Text>
              </Table.Td>
              <Table.Td>{roleNames[member.role]}</Table.Td>
              <Table.Td visibleFrom="sm">
                <TimeAgo at={member.suspendedAt} />
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end">
                  <ActionButton
                    size="xs"
                    variant="default"
                    aria-label={t('End suspension of {name}', { name: member.name })}
                    reason={
                      mayGive(myRole, member.role)
                        ? undefined
                        : t('Only an owner can change or remove an owner.')
                    }
                    onClick={() => setEnded(member)}
                  >
                    {t('End suspension')}
                  </ActionButton>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {ended !== undefined && (
        <EndSuspension orgId={orgId} member={ended} onClose={() => setEnded(undefined)} />
      )}
    </Section>
  );
}

function EndSuspension({
  orgId,
  member: { userId, name },
  onClose,
}: {
  readonly orgId: string;
  readonly member: SuspendedMember;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      call('DELETE /api/organizations/{orgId}/suspended-members/{userId}', { params: { orgId, userId } }),
    onSuccess: () => {
      notifyDone(t('Ended the suspension of {name}.', { name }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: suspendedMembersQuery(orgId).queryKey }),
  });
  return (
    <ConfirmDialog
      title={t('End the suspension of {name}?', { name })}
      sentences={[
        t(
          'Your directory has deactivated {name}. Only do this if it was a mistake, or if the directory no longer provisions people.',
          { name },
        ),
        t('{name} doesn’t get the role back, but you can invite them again.', { name }),
        t('If the directory lets {name} sign in, they get access at once, like a new person.', { name }),
      ]}
      action={t('End suspension')}
      opened
      onClose={onClose}
      onConfirm={() => end.mutate()}
      isPending={end.isPending}
      error={end.error}
    />
  );
}
