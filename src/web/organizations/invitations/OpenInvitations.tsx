import { Button, Group, Modal, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
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
    onSuccess: () => notifyDone('Invitation revoked. Its link no longer works.'),
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
      title="Open invitations"
      description="Resending an invitation creates a new link. The previous link stops working."
    >
      {invitations.error !== null ? (
        <Failure error={invitations.error} retry={() => void invitations.refetch()} />
      ) : invitations.data === undefined ? (
        <Skeleton h={60} />
      ) : invitations.data.length === 0 ? (
        <Text size="sm">There are no open invitations.</Text>
      ) : (
        <Stack>
          <Table verticalSpacing="xs" horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Email</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th visibleFrom="sm">Expires</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.data.map(({ id, email, role, expiresAt }) => (
                <Table.Tr key={email}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                  <Table.Td>{role}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <TimeAgo at={expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs" justify="flex-end">
                      <ActionButton
                        size="xs"
                        variant="default"
                        aria-label={`Resend the invitation to ${email}`}
                        reason={reasonAgainstChanging(myRole, role)}
                        loading={resend.isPending && resend.variables.email === email}
                        onClick={() => resend.mutate({ email, role })}
                      >
                        Resend
                      </ActionButton>
                      <ActionButton
                        size="xs"
                        variant="default"
                        aria-label={`Revoke the invitation to ${email}`}
                        reason={reasonAgainstChanging(myRole, role)}
                        loading={revoke.isPending && revoke.variables === id}
                        onClick={() => revoke.mutate(id)}
                      >
                        Revoke
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
        title="Resend invitation"
        size="lg"
      >
        <Stack>
          {resent !== undefined && <InvitationResults results={[resent]} />}
          <Group justify="flex-end">
            <Button onClick={() => setResent(undefined)}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  );
}

/** Returns why you can't resend or revoke an invitation for a role; undefined if you can. */
const reasonAgainstChanging = (myRole: Role | undefined, role: Role): string | undefined =>
  rolesToGive(myRole).includes(role) ? undefined : 'Only owners can change an owner’s invitation.';
