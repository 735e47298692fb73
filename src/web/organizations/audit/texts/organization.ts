import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';
import { at, emailIn, quoted, role, type ActionText, type Details } from './details.ts';

/** Returns an entry, and whether the directory caused it. */
const withCause = (details: Details, text: string): string =>
  details['by'] === 'directory' ? t('{text}, as set in the directory', { text }) : text;

/** Returns what an entry has changed of the requirements. */
function requirementsText(details: Details): string {
  // Sound because these entries have the requirements before and after.
  const [before, after] = [details['before'] as Details, details['after'] as Details];
  if (before['confirmSsoChanges'] === after['confirmSsoChanges']) return secondFactorText(after);
  const confirmation =
    after['confirmSsoChanges'] === true
      ? t('required a confirmation of identity before changes of single sign-on')
      : t('ended the confirmation of identity before changes of single sign-on');
  return before['secondFactor'] === after['secondFactor']
    ? confirmation
    : listFormat().format([secondFactorText(after), confirmation]);
}

function secondFactorText(requirements: Details): string {
  switch (at(requirements, 'secondFactor')) {
    case 'everyone':
      return t('required a second factor of everyone who signs in with a password');
    case 'owners':
      return t('required a second factor of owners who sign in with a password');
    default:
      return t('ended the requirement of a second factor');
  }
}

/** The texts of changes of the organization, its members and its policies. */
export const organizationTexts = {
  'server.restored': {
    label: t('Server restored from a backup'),
    did: () => t('restored the server from a backup: what happened after it is missing here'),
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
  'organization.deleted': {
    label: t('Organization deleted'),
    did: () => t('deleted the organization'),
  },
  'organization.restored': {
    label: t('Organization restored'),
    did: () => t('restored the organization'),
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
  'member.suspension_ended': {
    label: t('Suspension ended'),
    did: (details) =>
      t('ended the suspension of the {role} {email}', { role: role(details), email: at(details, 'email') }),
  },
  'member.removed': {
    label: t('Member removed'),
    did: (details) => t('removed the {role} {email}', { role: role(details), email: at(details, 'email') }),
  },
  'access_review.exported': {
    label: t('Access review downloaded'),
    did: () => t('downloaded who may do what in the organization'),
  },
  'organization.exported': {
    label: t('All data exported'),
    did: () => t('exported all data of the organization'),
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
  'authentication_policy.saved': {
    label: t('Sign-in requirements changed'),
    did: requirementsText,
  },
  'session_policy.saved': {
    label: t('Session policy changed'),
    did: () => t('changed the session limits'),
  },
} as const satisfies Readonly<Record<string, ActionText>>;
