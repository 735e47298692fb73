import {
  IconBulb,
  IconChartBar,
  IconDatabase,
  IconEye,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconTrash,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../paths.ts';

/** The pages of an organization. Typing `g` and then `key` opens one. */
export const places = [
  { to: paths.dashboards, label: t('Dashboards'), icon: IconLayoutDashboard, key: 'd' },
  { to: paths.reports, label: t('Reports'), icon: IconChartBar, key: 'r' },
  { to: paths.dataSources, label: t('Data sources'), icon: IconDatabase, key: 's' },
  { to: paths.proposals, label: t('Proposals'), icon: IconBulb, key: 'p' },
  { to: paths.trash, label: t('Trash'), icon: IconTrash, key: 't' },
] as const;

/** The pages that administer an organization, each with the action that a role must permit. */
export const administration = [
  { to: paths.members, label: t('Members'), icon: IconUsers, key: 'm', action: 'organization.view' },
  { to: paths.sso, label: t('Single sign-on'), icon: IconKey, key: undefined, action: 'sso.manage' },
  {
    to: paths.accessReview,
    label: t('Access review'),
    icon: IconUserCheck,
    key: undefined,
    action: 'access.review',
  },
  { to: paths.audit, label: t('Audit log'), icon: IconHistory, key: undefined, action: 'audit.view' },
  { to: paths.accessLog, label: t('Data-access log'), icon: IconEye, key: undefined, action: 'audit.view' },
  {
    to: paths.organization,
    label: t('Settings'),
    icon: IconSettings,
    key: undefined,
    action: 'organization.view',
  },
] as const;

export type Place = (typeof places)[number] | (typeof administration)[number];
