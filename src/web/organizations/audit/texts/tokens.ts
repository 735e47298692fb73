import { t } from '#shared/language/messages.ts';
import { at, type ActionText } from './details.ts';

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

/** The texts of what happens to tokens and service accounts. */
export const tokenTexts = {
  'token.created': {
    label: t('Token created'),
    did: (details) => t('created the token “{name}”', { name: at(details, 'name') }),
  },
  'token.revoked': {
    label: t('Token revoked'),
    did: (details) => revokedText(at(details, 'name'), at(details, 'reason')),
  },
  'token.confirmed': {
    label: t('Token confirmed after a restore'),
    did: (details) => t('confirmed the token “{name}” after a restore', { name: at(details, 'name') }),
  },
  'token_policy.saved': {
    label: t('Token policy changed'),
    did: () => t('changed which tokens are permitted'),
  },
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
} as const satisfies Readonly<Record<string, ActionText>>;
