import { t, translationOf } from '#shared/language/messages.ts';
import { sessionMethods } from '../../../ui/text/session-methods.ts';
import { at, emailIn, role, withAddress, type ActionText } from './details.ts';

const methods: Readonly<Record<string, string>> = sessionMethods;

/** The texts of sign-ins, and of what people do with their accounts. */
export const accountTexts = {
  'sign_in.succeeded': {
    label: t('Signed in'),
    did: (details) =>
      withAddress(details, t('signed in {method}', { method: methods[at(details, 'method')] ?? '' })),
  },
  'sign_in.opened': {
    label: t('Organization opened'),
    did: (details) =>
      withAddress(details, t('opened the organization for the first time since they signed in')),
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
  'account.passkey_added': {
    label: t('Passkey added'),
    did: (details) => t('added the passkey “{name}”', { name: at(details, 'name') }),
  },
  'account.passkey_removed': {
    label: t('Passkey removed'),
    did: (details) => t('removed the passkey “{name}”', { name: at(details, 'name') }),
  },
  'account.passkey_refused': {
    label: t('Passkey refused, may be copied'),
    sentence: (details) =>
      t(
        'The passkey “{name}” of {email} was refused, because its counter went backwards. It may have been copied.',
        { name: at(details, 'name'), email: emailIn(details) },
      ),
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
  'account.deleted': {
    label: t('Account deleted'),
    did: (details) => t('deleted their account, which had the role {role} here', { role: role(details) }),
  },
  'account.exported': {
    label: t('Data of an account exported'),
    did: () => t('exported the data of their account'),
  },
} as const satisfies Readonly<Record<string, ActionText>>;
