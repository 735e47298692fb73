type Details = Readonly<Record<string, unknown>>;

/** Says what happened, of an entry's details. */
type Words = (details: Details) => string;

/** A detail as text; empty when it is not there. */
const at = (details: Details, name: string): string => {
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const quoted = (details: Details, name = 'name'): string => `“${at(details, name)}”`;

/** An e-mail address, marked if it is not verified. */
const emailIn = (details: Details): string =>
  `${at(details, 'email')}${details['emailVerified'] === false ? ' (not verified)' : ''}`;

const from = (details: Details): string => {
  const address = at(details, 'address');
  return address === '' ? '' : ` from ${address}`;
};

const byDirectory = (details: Details): string =>
  details['by'] === 'directory' ? ', as the directory says' : '';

/** Every action of the log: what it is called in the filter, and how its entries read. */
const actions: Readonly<Record<string, { readonly label: string; readonly words: Words }>> = {
  'sign_in.succeeded': {
    label: 'Signed in',
    words: (details) =>
      `signed in ${methodWords[at(details, 'method')] ?? ''}${from(details)}`.replaceAll('  ', ' '),
  },
  'sign_in.refused': {
    label: 'Sign-in refused',
    words: (details) => {
      const who = at(details, 'email') === '' ? '' : ` as ${emailIn(details)}`;
      return `A sign-in${who}${from(details)} was refused: ${at(details, 'message')}`;
    },
  },
  'account.password_changed': {
    label: 'Password changed',
    words: () => 'changed their password',
  },
  'account.password_reset': {
    label: 'Password reset',
    words: (details) => `reset their password with a link${from(details)}`,
  },
  'organization.created': {
    label: 'Organization created',
    words: (details) => `created the organization ${quoted(details)}`,
  },
  'organization.renamed': {
    label: 'Organization renamed',
    words: (details) => `renamed the organization to ${quoted(details)}`,
  },
  'member.added': {
    label: 'Member added',
    words: (details) =>
      `${emailIn(details)} became a member as ${at(details, 'role')}${byDirectory(details)}`,
  },
  'member.role_changed': {
    label: 'Role changed',
    words: (details) =>
      `made ${at(details, 'email')} ${at(details, 'after')} instead of ${at(details, 'before')}${byDirectory(details)}`,
  },
  'member.removed': {
    label: 'Member removed',
    words: (details) => `removed the ${at(details, 'role')} ${at(details, 'email')}`,
  },
  'invitation.created': {
    label: 'Invited',
    words: (details) => `invited ${at(details, 'email')} as ${at(details, 'role')}`,
  },
  'invitation.revoked': { label: 'Invitation taken back', words: () => 'took an invitation back' },
  'invitation.accepted': {
    label: 'Invitation accepted',
    words: (details) => `joined by an invitation as ${at(details, 'role')}`,
  },
  'data_source.created': {
    label: 'Data source created',
    words: (details) => `created the data source ${quoted(details)}`,
  },
  'data_source.changed': {
    label: 'Data source changed',
    words: (details) => `changed the data source ${quoted(details)}`,
  },
  'data_source.deleted': {
    label: 'Data source deleted',
    words: (details) => `deleted the data source ${quoted(details)}`,
  },
  'table.uploaded': { label: 'Table uploaded', words: (details) => `uploaded the table ${tableOf(details)}` },
  'table.deleted': { label: 'Table deleted', words: (details) => `deleted the table ${tableOf(details)}` },
  'report.deleted': {
    label: 'Report deleted',
    words: (details) => `moved the report ${quoted(details)} to the trash`,
  },
  'report.restored': {
    label: 'Report restored',
    words: (details) => `restored the report ${quoted(details)} from the trash`,
  },
  'report.purged': {
    label: 'Report permanently deleted',
    words: (details) => `permanently deleted the report ${quoted(details)}`,
  },
  'dashboard.deleted': {
    label: 'Dashboard deleted',
    words: (details) => `moved the dashboard ${quoted(details)} to the trash`,
  },
  'dashboard.restored': {
    label: 'Dashboard restored',
    words: (details) => `restored the dashboard ${quoted(details)} from the trash`,
  },
  'dashboard.purged': {
    label: 'Dashboard permanently deleted',
    words: (details) => `permanently deleted the dashboard ${quoted(details)}`,
  },
  'dashboard.access_changed': {
    label: 'Dashboard shared',
    words: (details) => `changed whom the dashboard ${quoted(details)} is shared with`,
  },
  'dashboard.transferred': {
    label: 'Dashboard handed on',
    words: (details) => `handed the dashboard ${quoted(details)} on`,
  },
  'dashboards.imported': { label: 'Dashboards imported', words: () => 'imported dashboards' },
  'sso.configuration.saved': {
    label: 'Single sign-on configured',
    words: (details) => {
      const secret = details['secretChanged'] === true ? ', with another client secret' : '';
      return `saved the configuration of single sign-on, turned ${details['enabled'] === true ? 'on' : 'off'}${secret}`;
    },
  },
  'sso.configuration.deleted': {
    label: 'Single sign-on deleted',
    words: () => 'deleted the configuration of single sign-on',
  },
  'sso.domain.proven': {
    label: 'Domain proven',
    words: (details) => `The domain ${at(details, 'domain')} was proven`,
  },
  'sso.domain.lost': {
    label: 'Domain lost',
    words: (details) => `The proof of the domain ${at(details, 'domain')} is gone from DNS`,
  },
  'sso.domain.released': {
    label: 'Domain released',
    words: (details) => `gave up the domain ${at(details, 'domain')}`,
  },
  'sso.policy.saved': {
    label: 'Sign-in policy saved',
    words: (details) => {
      const after = details['after'] as { requireSso?: unknown } | undefined;
      return `saved the sign-in policy; the directory is ${after?.requireSso === true ? '' : 'not '}required`;
    },
  },
  'sso.requirement.lifted': {
    label: 'Passwords let in again',
    words: () => 'Passwords were let in again, because nobody came in through the directory any more',
  },
  'sso.unlocked': { label: 'Unlocked by the operator', words: () => 'The operator let passwords in again' },
  'sso.recovery_codes.created': {
    label: 'Recovery codes made',
    words: () => 'made new recovery codes, in place of any before',
  },
  'sso.account.linked': {
    label: 'Account linked to the directory',
    words: (details) => `linked their account to the directory by entering its password${from(details)}`,
  },
  'sso.test.begun': { label: 'Test sign-in begun', words: () => 'began a test sign-in' },
};

const methodWords: Readonly<Record<string, string>> = {
  password: 'by password',
  set_up: 'by setting the server up',
  invitation: 'by an invitation',
  operator: 'by a session that the operator made',
  sso: 'through the directory',
  recovery_code: 'by a recovery code',
};

/** Its details have the name of the source, or the table alone. */
function tableOf(details: Details): string {
  const table = at(details, 'table');
  return table === '' ? quoted(details) : `“${table}”`;
}

/** What an entry tells, in words; those of who did it go before it, unless it begins with a capital letter. */
export function auditWords({ action, details }: { action: string; details: Details }): string {
  return actions[action]?.words(details) ?? action;
}

/** The actions there are, with what they are called. */
export const auditActions: readonly { readonly value: string; readonly label: string }[] = Object.entries(
  actions,
).map(([value, { label }]) => ({ value, label }));
