import { Stack, Text } from '@mantine/core';
import { IconLayoutDashboard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../paths.ts';
import { useOrganization } from '../../ui/server-data/session.ts';
import { useCurrentPlace } from './current-organization.ts';
import { ProposalCount } from './ProposalCount.tsx';
import { administration, places, type Place } from '../palette/places.ts';

export function Navigation({ orgId }: { readonly orgId: string | undefined }): ReactNode {
  const organization = useOrganization(orgId);
  if (orgId === undefined) {
    return (
      <div>
        <Link
          to={paths.privateDashboards}
          className="navigation-link"
          activeProps={{ 'aria-current': 'page' }}
        >
          <IconLayoutDashboard size={18} aria-hidden />
          {t('Private dashboards')}
        </Link>
      </div>
    );
  }
  return (
    <Stack gap={2}>
      {places.map((place) => (
        <NavigationLink key={place.to} place={place} orgId={orgId} />
      ))}
      {organization !== undefined && (
        <>
          <Text size="xs" c="dimmed" fw={500} mt="md" mb={4} px="sm">
            {may(organization.role, 'member.manage') ? t('Administration') : t('Organization')}
          </Text>
          {administration
            .filter(({ action }) => may(organization.role, action))
            .map((place) => (
              <NavigationLink key={place.to} place={place} orgId={orgId} />
            ))}
        </>
      )}
    </Stack>
  );
}

function NavigationLink({ place, orgId }: { readonly place: Place; readonly orgId: string }): ReactNode {
  const { to, label, icon: Icon } = place;
  const isAbovePage = useCurrentPlace() === to;
  return (
    <Link
      to={to}
      params={{ orgId }}
      className="navigation-link"
      {...(isAbovePage && { 'aria-current': true })}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon size={18} aria-hidden />
      {label}
      {to === paths.proposals && <ProposalCount orgId={orgId} />}
    </Link>
  );
}
