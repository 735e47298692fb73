import type { AccessGrant } from '#contract/organizations/access-review.ts';
import { t } from '#shared/language/messages.ts';
import { roleNames } from '../ui/text/roles.ts';
import type { ObjectKind } from './search.ts';

export const kindNames: Readonly<Record<ObjectKind, string>> = {
  organization: t('Organization'),
  folder: t('Folder'),
  dashboard: t('Dashboard'),
  report: t('Report'),
  data_source: t('Data source'),
};

export const granteeNames: Readonly<Record<AccessGrant['grantee']['kind'], string>> = {
  person: t('Person'),
  service_account: t('Service account'),
  group: t('Directory group'),
  link: t('Wall display link'),
};

const levels: Readonly<Record<Exclude<AccessGrant['access'], keyof typeof roleNames>, string>> = {
  manage: t('Edit and share'),
  edit: t('Edit'),
  use: t('Query'),
  view: t('View'),
};

export const accessNames: Readonly<Record<AccessGrant['access'], string>> = { ...roleNames, ...levels };

/** Returns why the grantee has the access. */
export function reasonText({ reason, groupName = '', tokenName = '' }: AccessGrant): string {
  switch (reason) {
    case 'role':
      return t('Role');
    case 'directory':
      return t('Role from the directory');
    case 'owner':
      return t('Owner');
    case 'named':
      return t('Shared by name');
    case 'group':
      return t('Shared with the group {group}', { group: groupName });
    case 'token':
      return t('Token “{name}”', { name: tokenName });
    case 'link':
      return t('Link');
  }
}
