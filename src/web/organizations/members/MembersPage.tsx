import { Stack } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { InviteDialog } from '../invitations/InviteDialog.tsx';
import { MemberList } from './MemberList.tsx';
import { OpenInvitations } from '../invitations/OpenInvitations.tsx';
import { SuspendedMembers } from './SuspendedMembers.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';

/** The members of the organization and its open invitations. */
export function MembersPage(): ReactNode {
  const { orgId } = useParams({ from: paths.members });
  const organization = useOrganization(orgId);
  const { open } = useSearch({ from: paths.members });
  const navigate = useNavigate({ from: paths.members });
  const mayInvite = may(organization?.role, 'member.manage');
  return (
    <Page
      title={t('Members')}
      description={t('The people in this organization and their roles.')}
      actions={
        <ActionButton
          leftSection={<IconUserPlus size={16} aria-hidden />}
          reason={organization && reasonAgainst('member.manage', organization.role)}
          onClick={() => void navigate({ search: { open: 'invite' }, replace: true })}
        >
          {t('Invite people')}
        </ActionButton>
      }
    >
      <Stack gap="xl">
        <MemberList orgId={orgId} myRole={organization?.role} />
        {mayInvite && <SuspendedMembers orgId={orgId} myRole={organization?.role} />}
        {mayInvite && <OpenInvitations orgId={orgId} myRole={organization?.role} />}
      </Stack>
      <InviteDialog
        orgId={orgId}
        myRole={organization?.role}
        isOpen={mayInvite && open === 'invite'}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
    </Page>
  );
}
