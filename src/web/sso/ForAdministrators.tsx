import { Skeleton } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { organizationsQuery, useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { roleNames } from '../ui/text/roles.ts';

/** Shows `children` to owners and admins. Others see which role they need. */
export function ForAdministrators({
  orgId,
  children,
}: {
  readonly orgId: string;
  readonly children: (role: Role) => ReactNode;
}): ReactNode {
  const organizations = useQuery(organizationsQuery);
  const organization = useOrganization(orgId);
  if (organizations.error !== null) {
    return <Failure error={organizations.error} retry={() => void organizations.refetch()} />;
  }
  if (organizations.data === undefined) return <Skeleton h={220} />;
  if (organization === undefined) {
    return (
      <EmptyState icon={IconKey} title={t('Not found')}>
        {t('The organization doesn’t exist, or you don’t have access to it.')}
      </EmptyState>
    );
  }
  if (!may(organization.role, 'sso.manage')) {
    return (
      <EmptyState icon={IconKey} title={t('You can’t manage single sign-on')}>
        {t('Your role in {name} is {role}.', { name: organization.name, role: roleNames[organization.role] })}{' '}
        {reasonAgainst('sso.manage', organization.role)}
      </EmptyState>
    );
  }
  return children(organization.role);
}
