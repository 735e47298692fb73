import { auditActions, type AuditAction } from '#shared/audit-actions.ts';
import { sessionMethods } from '../../ui/text/session-methods.ts';

type Details = Readonly<Record<string, unknown>>;

type Words = (details: Details) => string;

/**
 * The label of an action in the filter, and the text of its entries: `did` continues after the person in the column “Who”, as in
 * “deleted the report …”; `sentence` is complete, because the person in that column isn't the one who acted.
 */
type ActionText = { readonly label: string } & ({ readonly did: Words } | { readonly sentence: Words });

/** Returns a detail as text; empty if it is absent. */
const at = (details: Details, name: string): string => {
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const quoted = (details: Details, name = 'name'): string => `“${at(details, name)}”`;

/** Returns the email address, with a note if it is not verified. */
const emailIn = (details: Details): string =>
  `${at(details, 'email')}${details['emailVerified'] === false ? ' (not verified)' : ''}`;

/** Returns the locale and the currency, which entries of older versions don't have. */
const localeIn = (details: Details): string =>
  'locale' in details
    ? `, the locale to ${at(details, 'locale')}, the currency to ${at(details, 'currency')}`
    : '';

const from = (details: Details): string => {
  const address = at(details, 'address');
  return address === '' ? '' : ` from ${address}`;
};

const byDirectory = (details: Details): string =>
  details['by'] === 'directory' ? ', as set in the directory' : '';

const methods: Readonly<Record<string, string>> = sessionMethods;

const texts: Readonly<Record<AuditAction, ActionText>> = {
  'sign_in.succeeded': {
    label: 'Signed in',
    did: (details) => `signed in ${methods[at(details, 'method')] ?? ''}${from(details)}`,
  },
  'sign_in.refused': {
    label: 'Sign-in refused',
    sentence: (details) => {
      const account = at(details, 'email') === '' ? '' : ` as ${emailIn(details)}`;
      return `A sign-in${account}${from(details)} was refused: ${at(details, 'message')}`;
    },
  },
  'account.password_changed': { label: 'Password changed', did: () => 'changed their password' },
  'account.password_reset': {
    label: 'Password reset',
    did: (details) => `reset their password with a link${from(details)}`,
  },
  'account.disabled': {
    label: 'Account disabled',
    sentence: (details) => `The account ${emailIn(details)} was disabled on the server.`,
  },
  'account.enabled': {
    label: 'Account enabled',
    sentence: (details) => `The account ${emailIn(details)} was enabled again on the server.`,
  },
  'organization.created': {
    label: 'Organization created',
    did: (details) => `created the organization ${quoted(details)}`,
  },
  'organization.renamed': {
    label: 'Organization renamed',
    did: (details) => `renamed the organization to ${quoted(details)}`,
  },
  'organization.calendar_changed': {
    label: 'Regional settings changed',
    did: (details) =>
      `set the time zone of the organization to ${at(details, 'timeZone')}, the start of its weeks to ${at(details, 'weekStart')}${localeIn(details)}`,
  },
  'organization.colors_changed': {
    label: 'Colors changed',
    did: (details) =>
      `set the colors of the organization, with ${at(details, 'accentColor')} as accent color`,
  },
  'member.added': {
    label: 'Member added',
    sentence: (details) =>
      `${emailIn(details)} became a member with the role ${at(details, 'role')}${byDirectory(details)}`,
  },
  'member.role_changed': {
    label: 'Role changed',
    did: (details) =>
      `changed the role of ${at(details, 'email')} from ${at(details, 'before')} to ${at(details, 'after')}${byDirectory(details)}`,
  },
  'member.removed': {
    label: 'Member removed',
    did: (details) => `removed the ${at(details, 'role')} ${at(details, 'email')}`,
  },
  'invitation.created': {
    label: 'Invitation created',
    did: (details) => `invited ${at(details, 'email')} as ${at(details, 'role')}`,
  },
  'invitation.revoked': { label: 'Invitation revoked', did: () => 'revoked an invitation' },
  'invitation.accepted': {
    label: 'Invitation accepted',
    did: (details) => `accepted an invitation as ${at(details, 'role')}`,
  },
  'data_source.created': {
    label: 'Data source created',
    did: (details) => `created the data source ${quoted(details)}`,
  },
  'data_source.changed': {
    label: 'Data source changed',
    did: (details) => `changed the data source ${quoted(details)}`,
  },
  'data_source.deleted': {
    label: 'Data source moved to trash',
    did: (details) => `moved the data source ${quoted(details)} to the trash`,
  },
  'data_source.access_changed': {
    label: 'Data source shared',
    did: (details) => `changed who has access to the data source ${quoted(details)}`,
  },
  'data_source.restored': {
    label: 'Data source restored',
    did: (details) => `restored the data source ${quoted(details)}`,
  },
  'data_source.purged': {
    label: 'Data source deleted permanently',
    did: (details) => `permanently deleted the data source ${quoted(details)}`,
  },
  'table.uploaded': {
    label: 'Table uploaded',
    did: (details) => `uploaded the table ${quoted(details, 'table')}`,
  },
  'table.deleted': {
    label: 'Table moved to trash',
    did: (details) => `moved the table ${quoted(details, 'table')} to the trash`,
  },
  'table.restored': {
    label: 'Table restored',
    did: (details) => `restored the table ${quoted(details, 'table')}`,
  },
  'table.purged': {
    label: 'Table deleted permanently',
    did: (details) => `permanently deleted the table ${quoted(details, 'table')}`,
  },
  'model.saved': {
    label: 'Table described',
    did: (details) => `described the table ${quoted(details, 'table')}`,
  },
  'model.deleted': {
    label: 'Description of a table deleted',
    did: (details) => `deleted the description of the table ${quoted(details, 'table')}`,
  },
  'report.deleted': {
    label: 'Report moved to trash',
    did: (details) => `moved the report ${quoted(details)} to the trash`,
  },
  'report.restored': { label: 'Report restored', did: (details) => `restored the report ${quoted(details)}` },
  'report.purged': {
    label: 'Report deleted permanently',
    did: (details) => `permanently deleted the report ${quoted(details)}`,
  },
  'report.access_changed': {
    label: 'Report shared',
    did: (details) => `changed who has access to the report ${quoted(details)}`,
  },
  'report.transferred': {
    label: 'Report transferred',
    did: (details) => `transferred ownership of the report ${quoted(details)}`,
  },
  'dashboard.deleted': {
    label: 'Dashboard moved to trash',
    did: (details) => `moved the dashboard ${quoted(details)} to the trash`,
  },
  'dashboard.restored': {
    label: 'Dashboard restored',
    did: (details) => `restored the dashboard ${quoted(details)}`,
  },
  'dashboard.purged': {
    label: 'Dashboard deleted permanently',
    did: (details) => `permanently deleted the dashboard ${quoted(details)}`,
  },
  'dashboard.access_changed': {
    label: 'Dashboard shared',
    did: (details) => `changed who has access to the dashboard ${quoted(details)}`,
  },
  'dashboard.transferred': {
    label: 'Dashboard transferred',
    did: (details) => `transferred ownership of the dashboard ${quoted(details)}`,
  },
  'dashboards.imported': { label: 'Dashboards imported', did: () => 'imported dashboards' },
  'sso.configuration.saved': {
    label: 'Single sign-on configured',
    did: (details) => {
      const state = details['enabled'] === true ? 'on' : 'off';
      const secret = details['secretChanged'] === true ? ', with a new client secret' : '';
      return `saved the single sign-on configuration, turned ${state}${secret}`;
    },
  },
  'sso.configuration.deleted': {
    label: 'Single sign-on deleted',
    did: () => 'deleted the single sign-on configuration',
  },
  'sso.domain.proven': {
    label: 'Domain verified',
    sentence: (details) => `The domain ${at(details, 'domain')} was verified`,
  },
  'sso.domain.lost': {
    label: 'Domain record missing',
    sentence: (details) => `The record that verifies the domain ${at(details, 'domain')} is missing from DNS`,
  },
  'sso.domain.released': {
    label: 'Domain released',
    did: (details) => `released the domain ${at(details, 'domain')}`,
  },
  'sso.policy.saved': {
    label: 'Sign-in policy saved',
    did: (details) => {
      const after = details['after'] as { requireSso?: unknown } | undefined;
      return `saved the sign-in policy: single sign-on is ${after?.requireSso === true ? '' : 'not '}required`;
    },
  },
  'sso.requirement.lifted': {
    label: 'Password sign-in allowed again',
    sentence: () => 'Password sign-in is allowed again, because nobody could sign in through the directory',
  },
  'sso.unlocked': {
    label: 'Unlocked by the operator',
    sentence: () => 'The operator allowed password sign-in again',
  },
  'sso.recovery_codes.created': {
    label: 'Recovery codes created',
    did: () => 'created new recovery codes; earlier ones no longer work',
  },
  'sso.account.linked': {
    label: 'Account linked to the directory',
    did: (details) => `linked their account to the directory by entering its password${from(details)}`,
  },
  'sso.account.moved': {
    label: 'Account kept after a change of provider',
    did: (details) =>
      `kept their account at the first sign-in through another identity provider, found by ${
        details['by'] === 'list' ? 'the list' : 'the address'
      } ${at(details, 'email')}${from(details)}`,
  },
  'sso.migration.saved': {
    label: 'Migration of accounts saved',
    did: (details) =>
      `let people of a former identity provider keep their accounts${
        details['byAddress'] === true ? '' : ', without using their addresses'
      }`,
  },
  'sso.migration.undone': {
    label: 'Migration of an account undone',
    did: () => 'undid that a person kept an account after a change of provider',
  },
  'sso.test.begun': { label: 'Test sign-in started', did: () => 'started a test sign-in' },
};

/** Returns the text of an entry next to the column “Who”. An action that only a newer server knows is shown by its name. */
export function entryText({ action, details }: { action: string; details: Details }): string {
  if (!Object.hasOwn(texts, action)) return action;
  const known = texts[action as AuditAction];
  return 'did' in known ? known.did(details) : known.sentence(details);
}

/** The actions of the filter, with their labels. */
export const actionChoices: readonly { readonly value: string; readonly label: string }[] = auditActions.map(
  (value) => ({ value, label: texts[value].label }),
);
