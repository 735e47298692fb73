import { t } from '#shared/language/messages.ts';
import { at, emailIn, withAddress, type ActionText } from './details.ts';

/** The texts of what happens to directories, and by provisioning. */
export const ssoTexts = {
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
    did: () => t('replaced the client secret or certificate of single sign-on with a certificate'),
  },
  'sso.certificate.deleted': {
    label: t('Certificate of single sign-on deleted'),
    did: () => t('deleted a certificate of single sign-on'),
  },
  'sso.workload_identity.used': {
    label: t('Workload identity of single sign-on used'),
    did: () =>
      t(
        'replaced the client secret or certificate of single sign-on with the workload identity of the server',
      ),
  },
  'sso.workload_identity.stopped': {
    label: t('Workload identity of single sign-on stopped'),
    did: () => t('stopped using the workload identity of the server for single sign-on'),
  },
  'sso.test.begun': { label: t('Test sign-in started'), did: () => t('started a test sign-in') },
} as const satisfies Readonly<Record<string, ActionText>>;
