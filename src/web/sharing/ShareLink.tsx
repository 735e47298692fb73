import { Group, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { wordsOf, type SharedRecord } from './shared-records.ts';

/** A link to the record with its current filters, and a button that invites people who aren't members yet. */
export function ShareLink({
  kind,
  organizationId,
}: {
  readonly kind: SharedRecord['kind'];
  readonly organizationId: string;
}): ReactNode {
  const organization = useOrganization(organizationId);
  const navigate = useNavigate();
  const reason = organization && reasonAgainst('member.manage', organization.role);
  const invite = () =>
    void navigate({ to: paths.members, params: { orgId: organizationId }, search: { open: 'invite' } });
  return (
    <Stack gap="sm">
      <CopyField label="Link" value={location.href} />
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 260px">
          Members of {organization?.name ?? 'the organization'} with access to this {wordsOf[kind].name} can
          open it. Invite other people first.
        </Text>
        <ActionButton
          variant="default"
          size="xs"
          leftSection={<IconUserPlus size={14} aria-hidden />}
          reason={reason}
          onClick={invite}
        >
          Invite people
        </ActionButton>
      </Group>
    </Stack>
  );
}
