import { Stack, Text } from '@mantine/core';
import {
  IconChartBar,
  IconDatabase,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { mayAs, useOrganization } from '../ui/session.ts';

const places = [
  { to: paths.dashboards, label: 'Dashboards', icon: IconLayoutDashboard },
  { to: paths.reports, label: 'Reports', icon: IconChartBar },
  { to: paths.dataSources, label: 'Data sources', icon: IconDatabase },
  { to: paths.bin, label: 'Bin', icon: IconTrash },
] as const;

const administration = [
  { to: paths.members, label: 'Members', icon: IconUsers },
  { to: paths.sso, label: 'Single sign-on', icon: IconKey },
  { to: paths.audit, label: 'Audit log', icon: IconHistory },
  { to: paths.organization, label: 'Settings', icon: IconSettings },
] as const;

type Place = (typeof places)[number] | (typeof administration)[number];

export function Navigation({ orgId }: { readonly orgId: string | undefined }): ReactNode {
  const organization = useOrganization(orgId);
  if (orgId === undefined) {
    return (
      <div>
        <Link to={paths.ownDashboards} className="navigation-link" activeProps={{ 'aria-current': 'page' }}>
          <IconLayoutDashboard size={18} aria-hidden />
          My dashboards
        </Link>
      </div>
    );
  }
  return (
    <Stack gap={2}>
      {places.map((place) => (
        <NavigationLink key={place.to} place={place} orgId={orgId} />
      ))}
      {mayAs(organization?.role, 'admin') && (
        <>
          <Text size="xs" c="dimmed" fw={500} mt="md" mb={4} px="sm">
            Administration
          </Text>
          {administration.map((place) => (
            <NavigationLink key={place.to} place={place} orgId={orgId} />
          ))}
        </>
      )}
    </Stack>
  );
}

function NavigationLink({ place, orgId }: { readonly place: Place; readonly orgId: string }): ReactNode {
  const { to, label, icon: Icon } = place;
  return (
    <Link to={to} params={{ orgId }} className="navigation-link" activeProps={{ 'aria-current': 'page' }}>
      <Icon size={18} aria-hidden />
      {label}
    </Link>
  );
}
