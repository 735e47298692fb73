import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { allMembersQuery } from '../../ui/server-data/member-list-queries.ts';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { reasonAgainstLeaving } from './rules.ts';

/** Ends your membership after a confirmation. The last owner can't leave. */
export function LeaveOrganization({ organization }: { readonly organization: Organization }): ReactNode {
  const { id: orgId, name, role } = organization;
  const [isAsking, ask] = useDisclosure();
  const { data: signedIn } = useQuery(sessionQuery);
  const { data: members } = useQuery(allMembersQuery(orgId));
  const client = useQueryClient();
  const navigate = useNavigate();
  const userId = signedIn?.user.id ?? '';
  const leave = useMutation({
    mutationFn: () =>
      call('DELETE /api/organizations/{orgId}/members/{userId}', { params: { orgId, userId } }),
    onSuccess: async () => {
      notifyDone(t('You left {name}.', { name }));
      client.clear();
      await navigate({ to: paths.home });
    },
  });
  const reason =
    members === undefined ? undefined : reasonAgainstLeaving({ member: { userId, role }, members });
  return (
    <Stack>
      <Text size="sm">
        {t(
          'You’ll lose access to the organization. To come back, you need an invitation or a sign-in through its directory. Your dashboards stay here.',
        )}
      </Text>
      <Group>
        <ActionButton variant="default" reason={reason} onClick={ask.open}>
          {t('Leave {name}', { name })}
        </ActionButton>
      </Group>
      <ConfirmDialog
        title={t('Leave {name}?', { name })}
        sentences={[t('You lose access immediately. Your dashboards stay, and admins can manage them.')]}
        action={t('Leave')}
        cancelLabel={t('Stay')}
        opened={isAsking}
        onClose={ask.close}
        onConfirm={() => leave.mutate()}
        isPending={leave.isPending}
        error={leave.error}
      />
    </Stack>
  );
}
