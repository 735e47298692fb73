import { useMantineColorScheme } from '@mantine/core';
import {
  IconBuilding,
  IconDatabaseImport,
  IconKeyboard,
  IconLayoutDashboard,
  IconLogout,
  IconPlus,
  IconServer,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { paths } from '../paths.ts';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { colorSchemes } from './color-schemes.ts';
import type { PaletteEntry } from './entries.ts';
import { administration, places } from './places.ts';
import { useSignOut } from '../shell/session/use-sign-out.ts';

/** Returns the pages and commands that are available from anywhere. */
export function usePaletteEntries(orgId: string | undefined, onShowShortcuts: () => void): PaletteEntry[] {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const { setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const role = organizations.find(({ id }) => id === orgId)?.role;
  const params = { orgId: orgId ?? '' };
  const page = { group: t('Pages') };
  const action = { group: t('Actions') };
  const entries: (PaletteEntry | false)[] = [
    ...[
      ...(orgId === undefined ? [] : places),
      ...administration.filter((place) => may(role, place.action)),
    ].map(({ to, label, icon }): PaletteEntry => ({
      ...page,
      id: to,
      label,
      icon,
      run: () => void navigate({ to, params }),
      ...(to === paths.sso && { keywords: t('SSO sign-in Entra AD FS') }),
      ...(to === paths.members && { keywords: t('people users roles') }),
      ...(to === paths.organization && { keywords: t('organization name leave') }),
    })),
    {
      ...page,
      id: paths.privateDashboards,
      label: t('Private dashboards'),
      icon: IconLayoutDashboard,
      run: () => void navigate({ to: paths.privateDashboards }),
    },
    {
      ...page,
      id: paths.account,
      label: t('Account'),
      keywords: t('profile password sessions'),
      icon: IconUserCircle,
      run: () => void navigate({ to: paths.account }),
    },
    {
      ...page,
      id: paths.server,
      label: t('Server'),
      keywords: t('operator version health'),
      icon: IconServer,
      run: () => void navigate({ to: paths.server }),
    },
    {
      ...action,
      id: 'new-dashboard',
      label: t('New dashboard'),
      keywords: t('create make'),
      icon: IconPlus,
      run: () =>
        void (may(role, 'dashboard.create')
          ? navigate({ to: paths.dashboards, params, search: { open: 'new' } })
          : navigate({ to: paths.privateDashboards, search: { open: 'new' } })),
    },
    may(role, 'report.create') && {
      ...action,
      id: 'new-report',
      label: t('New report'),
      keywords: t('create make query SQL'),
      icon: IconPlus,
      run: () => void navigate({ to: paths.newReport, params }),
    },
    may(role, 'data_source.manage_files') && {
      ...action,
      id: 'upload',
      label: t('Upload data'),
      keywords: t('new data source CSV file connect PostgreSQL'),
      icon: IconDatabaseImport,
      run: () => void navigate({ to: paths.newDataSource, params }),
    },
    may(role, 'member.manage') && {
      ...action,
      id: 'invite',
      label: t('Invite people'),
      keywords: t('members add'),
      icon: IconUserPlus,
      run: () => void navigate({ to: paths.members, params, search: { open: 'invite' } }),
    },
    ...colorSchemes.map(({ value, label, icon }): PaletteEntry => ({
      ...action,
      id: `theme-${value}`,
      label: t('Theme: {label}', { label: label.toLowerCase() }),
      keywords: t('mode colors'),
      icon,
      run: () => setColorScheme(value),
    })),
    {
      ...action,
      id: 'shortcuts',
      label: t('Keyboard shortcuts'),
      keywords: t('help keys'),
      icon: IconKeyboard,
      run: onShowShortcuts,
    },
    {
      ...action,
      id: 'sign-out',
      label: t('Sign out'),
      keywords: t('log out leave'),
      icon: IconLogout,
      run: signOut,
    },
    ...organizations
      .filter(({ id }) => id !== orgId)
      .map(({ id, name }): PaletteEntry => ({
        group: t('Organizations'),
        id,
        label: name,
        keywords: t('switch organization'),
        icon: IconBuilding,
        run: () => void navigate({ to: paths.dashboards, params: { orgId: id } }),
      })),
  ];
  return entries.filter((entry) => entry !== false);
}
