import { Group, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { wordsOf, type SharedRecord } from './shared-records.ts';

/** A link to the record with its current filters, and a button that invites people who aren't members yet. */
export function ShareLink({
  kind,
  link,
  organizationId,
}: {
  readonly kind: SharedRecord['kind'];
  readonly link: string;
  readonly organizationId: string;
}): ReactNode {
  const organization = useOrganization(organizationId);
  const navigate = useNavigate();
  const reason = organization && reasonAgainst('member.manage', organization.role);
  const invite = () =>
    void navigate({ to: paths.members, params: { orgId: organizationId }, search: { open: 'invite' } });
  return (
    <Stack gap="sm">
      <CopyField label={t('Link')} value={link} />
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 260px">
          {wordsOf[kind].whoCanOpen(organization?.name ?? t('the organization'))}
        </Text>
        <ActionButton
          variant="default"
          size="xs"
          leftSection={<IconUserPlus size={14} aria-hidden />}
          reason={reason}
          onClick={invite}
        >
          {t('Invite people')}
        </ActionButton>
      </Group>
    </Stack>
  );
}
