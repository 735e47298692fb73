import { Button, Group, Modal, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone, notifyError } from '../../ui/notifications/notify.ts';
import { Section } from '../../ui/page/Section.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { InvitationResults } from './InvitationResults.tsx';
import { inviteOne, type InvitationResult } from './invite-one.ts';
import { invitationsQuery } from '../members/queries.ts';
import { rolesToGive } from '../members/rules.ts';
import { roleNames } from '../../ui/text/roles.ts';

/** The people who were invited and have not joined yet. */
export function OpenInvitations({
  orgId,
  myRole,
}: {
  readonly orgId: string;
  readonly myRole: Role | undefined;
}): ReactNode {
  const [resent, setResent] = useState<InvitationResult>();
  const invitations = useQuery(invitationsQuery(orgId));
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (invitationId: string) =>
      call('DELETE /api/organizations/{orgId}/invitations/{invitationId}', {
        params: { orgId, invitationId },
      }),
    onSuccess: () => notifyDone(t('Invitation revoked. Its link no longer works.')),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', orgId] }),
  });
  const resend = useMutation({
    mutationFn: ({ email, role }: { email: string; role: Role }) => inviteOne(orgId, email, role),
    onSuccess: setResent,
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', orgId] }),
  });
  return (
    <Section
      title={t('Open invitations')}
      description={t('Resending an invitation creates a new link. The previous link stops working.')}
    >
      {invitations.error !== null ? (
        <Failure error={invitations.error} retry={() => void invitations.refetch()} />
      ) : invitations.data === undefined ? (
        <Skeleton h={60} />
      ) : invitations.data.length === 0 ? (
        <Text size="sm">{t('There are no open invitations.')}</Text>
      ) : (
        <Stack>
          <Table verticalSpacing="xs" horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Email')}</Table.Th>
                <Table.Th>{t('Role')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('Expires')}</Table.Th>
                <Table.Th>
                  <VisuallyHidden>{t('Actions')}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.data.map(({ id, email, role, expiresAt }) => (
                <Table.Tr key={email}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                  <Table.Td>{roleNames[role]}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <TimeAgo at={expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs" justify="flex-end">
                      <ActionButton
                        size="xs"
                        variant="default"
                        aria-label={t('Resend the invitation to {email}', { email })}
                        reason={reasonAgainstChanging(myRole, role)}
                        loading={resend.isPending && resend.variables.email === email}
                        onClick={() => resend.mutate({ email, role })}
                      >
                        {t('Resend')}
                      </ActionButton>
                      <ActionButton
                        size="xs"
                        variant="default"
                        aria-label={t('Revoke the invitation to {email}', { email })}
                        reason={reasonAgainstChanging(myRole, role)}
                        loading={revoke.isPending && revoke.variables === id}
                        onClick={() => revoke.mutate(id)}
                      >
                        {t('Revoke')}
                      </ActionButton>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
      <Modal
        opened={resent !== undefined}
        onClose={() => setResent(undefined)}
        title={t('Resend invitation')}
        size="lg"
      >
        <Stack>
          {resent !== undefined && <InvitationResults results={[resent]} />}
          <Group justify="flex-end">
            <Button onClick={() => setResent(undefined)}>{t('Done')}</Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  );
}

/** Returns why you can't resend or revoke an invitation for a role; undefined if you can. */
const reasonAgainstChanging = (myRole: Role | undefined, role: Role): string | undefined =>
  rolesToGive(myRole).includes(role) ? undefined : t('Only owners can change an owner’s invitation.');
