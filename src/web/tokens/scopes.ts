import type { TokenScope } from '#contract/scopes.ts';
import { t } from '#shared/language/messages.ts';

/** What people call the scopes of tokens, and what each permits. */
export const scopeTexts: Readonly<Record<TokenScope, { readonly name: string; readonly permits: string }>> = {
  read: {
    name: t('Read'),
    permits: t('Dashboards, reports and their results, folders, data sources and members'),
  },
  propose: {
    name: t('Propose'),
    permits: t('Propose reports, dashboards and changes, which people accept or decline'),
  },
  'dashboards:write': {
    name: t('Change dashboards'),
    permits: t('Create, change, share and delete them, with comments and images'),
  },
  'reports:write': { name: t('Change reports'), permits: t('Create, change, share and delete them') },
  'folders:write': {
    name: t('Change folders'),
    permits: t('Create, change, share and delete them, and move what is in them'),
  },
  'data_sources:write': {
    name: t('Change data sources'),
    permits: t('Create, change, share and delete them, upload files and describe tables'),
  },
  administer: {
    name: t('Administer'),
    permits: t(
      'Settings, members and roles, invitations, single sign-on, webhooks, the audit log and the data-access log',
    ),
  },
  scim: {
    name: t('Provision'),
    permits: t('Add, change and deactivate people and groups by SCIM. It can’t be combined with others'),
  },
  'logs:read': {
    name: t('Read logs'),
    permits: t('The audit log and the data-access log in order, as log servers read them'),
  },
};

/** The scopes in the groups in which people choose them. */
export const scopeGroups: readonly { readonly title: string; readonly scopes: readonly TokenScope[] }[] = [
  { title: t('Reading'), scopes: ['read'] },
  { title: t('Proposing'), scopes: ['propose'] },
  {
    title: t('Writing'),
    scopes: ['dashboards:write', 'reports:write', 'folders:write', 'data_sources:write'],
  },
  { title: t('Administration'), scopes: ['administer', 'logs:read'] },
];

/** What only service accounts can have, and only without other scopes. */
export const provisioningGroup: (typeof scopeGroups)[number] = { title: t('Provisioning'), scopes: ['scim'] };

const all = scopeGroups.flatMap(({ scopes }) => scopes);

/** What programs are most often permitted. */
export const scopePresets: readonly { readonly name: string; readonly scopes: readonly TokenScope[] }[] = [
  { name: t('Read only'), scopes: ['read'] },
  {
    name: t('Read and write'),
    scopes: all.filter((scope) => !['administer', 'logs:read', 'propose'].includes(scope)),
  },
  { name: t('Read and propose'), scopes: ['read', 'propose'] },
  { name: t('Everything'), scopes: all },
];

/** Returns whether two lists name the same scopes. */
export const areSameScopes = (one: readonly TokenScope[], other: readonly TokenScope[]): boolean =>
  one.length === other.length && one.every((scope) => other.includes(scope));

/** Returns what scopes permit in a few words. */
export function scopesText(scopes: readonly TokenScope[]): string {
  const preset = scopePresets.find((known) => areSameScopes(known.scopes, scopes));
  return (
    preset?.name ??
    sorted(scopes)
      .map((scope) => scopeTexts[scope].name)
      .join(' · ')
  );
}

/** Returns scopes in the order in which people choose them. */
export const sorted = (scopes: readonly TokenScope[]): TokenScope[] =>
  [...all, ...provisioningGroup.scopes].filter((scope) => scopes.includes(scope));
