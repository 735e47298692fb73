import { at, quoted, type ActionText, type Details } from './details.ts';
import { accessLogTexts } from './access-log-texts.ts';
import { folderTexts } from './folder-texts.ts';
import { proposalTexts } from './proposal-texts.ts';
import { webhookTexts } from './webhook-texts.ts';
import { auditActions, type AuditAction } from '#shared/audit-actions.ts';
import { t, translationOf } from '#shared/language/messages.ts';
import { roleName } from '../../ui/text/roles.ts';
import { sessionMethods } from '../../ui/text/session-methods.ts';

/** Returns the email address, with a note if it is not verified. */
const emailIn = (details: Details): string =>
  details['emailVerified'] === false
    ? t('{email} (not verified)', { email: at(details, 'email') })
    : at(details, 'email');

const role = (details: Details, name = 'role'): string => roleName(at(details, name));

/** Returns an entry with the address that it came from, if it has one. */
const withAddress = (details: Details, text: string): string => {
  const address = at(details, 'address');
  return address === '' ? text : t('{text} from {address}', { text, address });
};

/** Returns an entry, and whether the directory caused it. */
const withCause = (details: Details, text: string): string =>
  details['by'] === 'directory' ? t('{text}, as set in the directory', { text }) : text;

const methods: Readonly<Record<string, string>> = sessionMethods;

/** Returns which token was revoked and, unless a person did it, why. */
function revokedText(name: string, reason: string): string {
  switch (reason) {
    case 'by_program':
      return t('revoked the authorization of “{name}” at the program’s request', { name });
    case 'refresh_token_reused':
      return t('revoked the authorization of “{name}”, since a refresh token was used twice', { name });
    case 'code_reused':
      return t('revoked the authorization of “{name}”, since its code was used twice', { name });
    case 'code_stolen':
      return t('revoked the authorization of “{name}”, since its code was used by another program', { name });
    default:
      return t('revoked the token “{name}”', { name });
  }
}

const texts: Readonly<Record<AuditAction, ActionText>> = {
  'sign_in.succeeded': {
    label: t('Signed in'),
    did: (details) =>
      withAddress(details, t('signed in {method}', { method: methods[at(details, 'method')] ?? '' })),
  },
  'sign_in.refused': {
    label: t('Sign-in refused'),
    sentence: (details) => {
      const email = at(details, 'email') === '' ? undefined : emailIn(details);
      const attempt = email === undefined ? t('A sign-in') : t('A sign-in as {email}', { email });
      return t('{attempt} was refused: {message}', {
        attempt: withAddress(details, attempt),
        message: translationOf(at(details, 'message')),
      });
    },
  },
  'account.password_changed': { label: t('Password changed'), did: () => t('changed their password') },
  'account.password_reset': {
    label: t('Password reset'),
    did: (details) => withAddress(details, t('reset their password with a link')),
  },
  'account.authenticator_app_added': {
    label: t('Authenticator app added'),
    did: () => t('set up an authenticator app'),
  },
  'account.authenticator_app_removed': {
    label: t('Authenticator app removed'),
    did: () => t('removed their authenticator app'),
  },
  'account.recovery_codes_created': {
    label: t('Recovery codes of an account replaced'),
    did: () => t('replaced the recovery codes of their account'),
  },
  'account.second_factors_reset': {
    label: t('Second factors reset'),
    sentence: (details) =>
      t('The second factors of {email} were removed on the server.', { email: emailIn(details) }),
  },
  'account.disabled': {
    label: t('Account disabled'),
    sentence: (details) => t('The account {email} was disabled on the server.', { email: emailIn(details) }),
  },
  'account.enabled': {
    label: t('Account enabled'),
    sentence: (details) =>
      t('The account {email} was enabled again on the server.', { email: emailIn(details) }),
  },
  'organization.created': {
    label: t('Organization created'),
    did: (details) => t('created the organization {quoted}', { quoted: quoted(details) }),
  },
  'organization.renamed': {
    label: t('Organization renamed'),
    did: (details) => t('renamed the organization to {quoted}', { quoted: quoted(details) }),
  },
  'organization.calendar_changed': {
    label: t('Regional settings changed'),
    did: (details) =>
      // Entries of older versions have no locale and no currency.
      'locale' in details
        ? t(
            'set the time zone of the organization to {timeZone}, the start of its weeks to {weekStart}, the locale to {locale}, the currency to {currency}',
            {
              timeZone: at(details, 'timeZone'),
              weekStart: at(details, 'weekStart'),
              locale: at(details, 'locale'),
              currency: at(details, 'currency'),
            },
          )
        : t('set the time zone of the organization to {timeZone}, the start of its weeks to {weekStart}', {
            timeZone: at(details, 'timeZone'),
            weekStart: at(details, 'weekStart'),
          }),
  },
  'organization.colors_changed': {
    label: t('Colors changed'),
    did: (details) =>
      t('set the colors of the organization, with {color} as accent color', {
        color: at(details, 'accentColor'),
      }),
  },
  'organization.logo_changed': {
    label: t('Logo changed'),
    did: () => t('uploaded a logo of the organization'),
  },
  'organization.logo_removed': {
    label: t('Logo removed'),
    did: () => t('removed the logo of the organization'),
  },
  'member.added': {
    label: t('Member added'),
    sentence: (details) =>
      withCause(
        details,
        t('{email} became a member with the role {role}', { email: emailIn(details), role: role(details) }),
      ),
  },
  'member.role_changed': {
    label: t('Role changed'),
    did: (details) =>
      withCause(
        details,
        t('changed the role of {email} from {before} to {after}', {
          email: at(details, 'email'),
          before: role(details, 'before'),
          after: role(details, 'after'),
        }),
      ),
  },
  'member.suspended': {
    label: t('Member suspended'),
    did: (details) => t('suspended the {role} {email}', { role: role(details), email: at(details, 'email') }),
  },
  'member.restored': {
    label: t('Member restored'),
    did: (details) => t('restored the {role} {email}', { role: role(details), email: at(details, 'email') }),
  },
  'member.removed': {
    label: t('Member removed'),
    did: (details) => t('removed the {role} {email}', { role: role(details), email: at(details, 'email') }),
  },
  'provisioning.person_saved': {
    label: t('Person provisioned'),
    did: (details) => t('provisioned {email} by SCIM', { email: at(details, 'email') }),
  },
  'provisioning.group_saved': {
    label: t('Group provisioned'),
    did: (details) => t('provisioned the group “{name}” by SCIM', { name: at(details, 'name') }),
  },
  'provisioning.group_deleted': {
    label: t('Provisioned group deleted'),
    did: (details) => t('deleted the provisioned group “{name}”', { name: at(details, 'name') }),
  },
  'access_review.exported': {
    label: t('Access review downloaded'),
    did: () => t('downloaded who may do what in the organization'),
  },
  'invitation.created': {
    label: t('Invitation created'),
    did: (details) => t('invited {email} as {role}', { email: at(details, 'email'), role: role(details) }),
  },
  'invitation.revoked': { label: t('Invitation revoked'), did: () => t('revoked an invitation') },
  'invitation.accepted': {
    label: t('Invitation accepted'),
    did: (details) => t('accepted an invitation as {role}', { role: role(details) }),
  },
  'token.created': {
    label: t('Token created'),
    did: (details) => t('created the token “{name}”', { name: at(details, 'name') }),
  },
  'token.revoked': {
    label: t('Token revoked'),
    did: (details) => revokedText(at(details, 'name'), at(details, 'reason')),
  },
  'token_policy.saved': {
    label: t('Token policy changed'),
    did: () => t('changed which tokens are permitted'),
  },
  'session_policy.saved': {
    label: t('Session policy changed'),
    did: () => t('changed the session limits'),
  },
  ...accessLogTexts,
  'service_account.created': {
    label: t('Service account created'),
    did: (details) => t('created the service account “{name}”', { name: at(details, 'name') }),
  },
  'service_account.renamed': {
    label: t('Service account renamed'),
    did: (details) =>
      t('renamed the service account “{before}” to “{after}”', {
        before: at(details, 'before'),
        after: at(details, 'after'),
      }),
  },
  'data_source.created': {
    label: t('Data source created'),
    did: (details) => t('created the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.changed': {
    label: t('Data source changed'),
    did: (details) => t('changed the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.deleted': {
    label: t('Data source moved to trash'),
    did: (details) => t('moved the data source {quoted} to the trash', { quoted: quoted(details) }),
  },
  'data_source.access_changed': {
    label: t('Data source shared'),
    did: (details) => t('changed who has access to the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.restored': {
    label: t('Data source restored'),
    did: (details) => t('restored the data source {quoted}', { quoted: quoted(details) }),
  },
  'data_source.purged': {
    label: t('Data source deleted permanently'),
    did: (details) => t('permanently deleted the data source {quoted}', { quoted: quoted(details) }),
  },
  'table.uploaded': {
    label: t('Table uploaded'),
    did: (details) => t('uploaded the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'table.deleted': {
    label: t('Table moved to trash'),
    did: (details) => t('moved the table {quoted} to the trash', { quoted: quoted(details, 'table') }),
  },
  'table.restored': {
    label: t('Table restored'),
    did: (details) => t('restored the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'table.purged': {
    label: t('Table deleted permanently'),
    did: (details) => t('permanently deleted the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'image.uploaded': {
    label: t('Image uploaded'),
    did: () => t('uploaded an image'),
  },
  'image.deleted': {
    label: t('Image deleted'),
    did: () => t('deleted an image'),
  },
  'model.saved': {
    label: t('Table described'),
    did: (details) => t('described the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'model.deleted': {
    label: t('Description of a table deleted'),
    did: (details) =>
      t('deleted the description of the table {quoted}', { quoted: quoted(details, 'table') }),
  },
  'report.deleted': {
    label: t('Report moved to trash'),
    did: (details) => t('moved the report {quoted} to the trash', { quoted: quoted(details) }),
  },
  'report.restored': {
    label: t('Report restored'),
    did: (details) => t('restored the report {quoted}', { quoted: quoted(details) }),
  },
  'report.purged': {
    label: t('Report deleted permanently'),
    did: (details) => t('permanently deleted the report {quoted}', { quoted: quoted(details) }),
  },
  'report.access_changed': {
    label: t('Report shared'),
    did: (details) => t('changed who has access to the report {quoted}', { quoted: quoted(details) }),
  },
  'report.transferred': {
    label: t('Report transferred'),
    did: (details) => t('transferred ownership of the report {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.deleted': {
    label: t('Dashboard moved to trash'),
    did: (details) => t('moved the dashboard {quoted} to the trash', { quoted: quoted(details) }),
  },
  'dashboard.restored': {
    label: t('Dashboard restored'),
    did: (details) => t('restored the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.purged': {
    label: t('Dashboard deleted permanently'),
    did: (details) => t('permanently deleted the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.access_changed': {
    label: t('Dashboard shared'),
    did: (details) => t('changed who has access to the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.transferred': {
    label: t('Dashboard transferred'),
    did: (details) => t('transferred ownership of the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.comment_deleted': {
    label: t('Comment deleted'),
    did: (details) =>
      t('deleted a comment of another person on the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.display_link_created': {
    label: t('Wall display link created'),
    did: (details) =>
      t('created a wall display link for the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboard.display_link_revoked': {
    label: t('Wall display link revoked'),
    did: (details) =>
      t('revoked a wall display link for the dashboard {quoted}', { quoted: quoted(details) }),
  },
  'dashboards.imported': { label: t('Dashboards imported'), did: () => t('imported dashboards') },
  ...folderTexts,
  'sso.configuration.saved': {
    label: t('Single sign-on configured'),
    did: (details) => {
      const isOn = details['enabled'] === true;
      if (details['secretChanged'] === true)
        return isOn
          ? t('saved the single sign-on configuration, turned on, with a new client secret')
          : t('saved the single sign-on configuration, turned off, with a new client secret');
      return isOn
        ? t('saved the single sign-on configuration, turned on')
        : t('saved the single sign-on configuration, turned off');
    },
  },
  'sso.configuration.deleted': {
    label: t('Single sign-on deleted'),
    did: () => t('deleted the single sign-on configuration'),
  },
  'sso.domain.proven': {
    label: t('Domain verified'),
    sentence: (details) => t('The domain {domain} was verified', { domain: at(details, 'domain') }),
  },
  'sso.domain.lost': {
    label: t('Domain record missing'),
    sentence: (details) =>
      t('The record that verifies the domain {domain} is missing from DNS', {
        domain: at(details, 'domain'),
      }),
  },
  'sso.domain.released': {
    label: t('Domain released'),
    did: (details) => t('released the domain {domain}', { domain: at(details, 'domain') }),
  },
  'sso.policy.saved': {
    label: t('Sign-in policy saved'),
    did: (details) => {
      const after = details['after'] as { requireSso?: unknown } | undefined;
      return after?.requireSso === true
        ? t('saved the sign-in policy: single sign-on is required')
        : t('saved the sign-in policy: single sign-on is not required');
    },
  },
  'sso.requirement.lifted': {
    label: t('Password sign-in allowed again'),
    sentence: () =>
      t('Password sign-in is allowed again, because nobody could sign in through the directory'),
  },
  'sso.unlocked': {
    label: t('Unlocked by the operator'),
    sentence: () => t('The operator allowed password sign-in again'),
  },
  'sso.recovery_codes.created': {
    label: t('Recovery codes created'),
    did: () => t('created new recovery codes; earlier ones no longer work'),
  },
  ...webhookTexts,
  ...proposalTexts,
  'sso.account.linked': {
    label: t('Account linked to the directory'),
    did: (details) =>
      withAddress(details, t('linked their account to the directory by entering its password')),
  },
  'sso.account.moved': {
    label: t('Account kept after a change of provider'),
    did: (details) =>
      withAddress(
        details,
        details['by'] === 'list'
          ? t(
              'kept their account at the first sign-in through another identity provider, found by the list {email}',
              { email: at(details, 'email') },
            )
          : t(
              'kept their account at the first sign-in through another identity provider, found by the address {email}',
              { email: at(details, 'email') },
            ),
      ),
  },
  'sso.migration.saved': {
    label: t('Migration of accounts saved'),
    did: (details) =>
      details['byAddress'] === true
        ? t('let people of a former identity provider keep their accounts')
        : t('let people of a former identity provider keep their accounts, without using their addresses'),
  },
  'sso.migration.undone': {
    label: t('Migration of an account undone'),
    did: () => t('undid that a person kept an account after a change of provider'),
  },
  'sso.sessions.ended': {
    label: t('Sessions ended by the directory'),
    sentence: (details) =>
      t(
        'The directory signed out {email}, which ended {sessionCount, plural, one {# session} other {# sessions}}',
        { email: emailIn(details), sessionCount: Number(details['sessionCount']) },
      ),
  },
  'sso.certificate.created': {
    label: t('Certificate of single sign-on created'),
    did: () => t('created a certificate for single sign-on'),
  },
  'sso.certificate.used': {
    label: t('Certificate of single sign-on used'),
    did: () => t('replaced the client secret or certificate of single sign-on by a certificate'),
  },
  'sso.certificate.deleted': {
    label: t('Certificate of single sign-on deleted'),
    did: () => t('deleted a certificate of single sign-on'),
  },
  'sso.test.begun': { label: t('Test sign-in started'), did: () => t('started a test sign-in') },
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
