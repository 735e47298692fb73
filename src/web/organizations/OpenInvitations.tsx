import { Button, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../api.ts';
import { Failure } from '../ui/Failure.tsx';
import { notifyDone, notifyError } from '../ui/notify.ts';
import { Section } from '../ui/Section.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { invitationsQuery } from './member-queries.ts';

/** Who was invited and has not come yet. */
export function OpenInvitations({ orgId }: { readonly orgId: string }): ReactNode {
  const invitations = useQuery(invitationsQuery(orgId));
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (invitationId: string) =>
      call('DELETE /api/organizations/{orgId}/invitations/{invitationId}', {
        params: { orgId, invitationId },
      }),
    onSuccess: () => notifyDone('The invitation is taken back; its link opens nothing any more.'),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', orgId] }),
  });
  return (
    <Section
      title="Open invitations"
      description="A link is shown once. Lost it? Invite the same address again: the new link replaces the old one."
    >
      {invitations.error !== null ? (
        <Failure error={invitations.error} retry={() => void invitations.refetch()} />
      ) : invitations.data === undefined ? (
        <Skeleton h={60} />
      ) : invitations.data.length === 0 ? (
        <Text size="sm">Nobody has an open invitation.</Text>
      ) : (
        <Stack>
          <Table verticalSpacing="xs" horizontalSpacing="xs">
            <Table.Thead fz="xs" c="dimmed">
              <Table.Tr>
                <Table.Th>E-mail</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th visibleFrom="sm">Ends</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.data.map(({ id, email, role, expiresAt }) => (
                <Table.Tr key={id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{email}</Table.Td>
                  <Table.Td>{role}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <TimeAgo at={expiresAt} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Take back the invitation of ${email}`}
                      loading={revoke.isPending && revoke.variables === id}
                      onClick={() => revoke.mutate(id)}
                    >
                      Take back
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Section>
  );
}
