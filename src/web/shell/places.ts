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
import { paths } from '../paths.ts';

/** The pages of an organization; with `key`, `g` and this letter lead there. */
export const places = [
  { to: paths.dashboards, label: 'Dashboards', icon: IconLayoutDashboard, key: 'd' },
  { to: paths.reports, label: 'Reports', icon: IconChartBar, key: 'r' },
  { to: paths.dataSources, label: 'Data sources', icon: IconDatabase, key: 's' },
  { to: paths.bin, label: 'Bin', icon: IconTrash, key: 'b' },
] as const;

/** The pages of its admins. */
export const administration = [
  { to: paths.members, label: 'Members', icon: IconUsers, key: 'm' },
  { to: paths.sso, label: 'Single sign-on', icon: IconKey, key: undefined },
  { to: paths.audit, label: 'Audit log', icon: IconHistory, key: undefined },
  { to: paths.organization, label: 'Settings', icon: IconSettings, key: undefined },
] as const;

export type Place = (typeof places)[number] | (typeof administration)[number];
