import { accountMails } from '../../mail/kinds.ts';
import type { Mailer } from '../../mail/mailer.ts';

export interface MailDependencies {
  readonly mailer: Mailer;
  readonly publicUrl: string;
}

/** What changed about the second factors of an account. */
export type SecondFactorChange =
  | 'app_added'
  | 'app_replaced'
  | 'app_removed'
  | 'first_passkey_added'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_replaced';

const sentences: Readonly<Record<SecondFactorChange, string>> = {
  app_added:
    'From now on, signing in with your password also needs a code of the app. You were signed out of your other sessions.',
  app_replaced: 'The codes of the app that you used before no longer work.',
  app_removed: 'Its codes no longer work.',
  first_passkey_added:
    'From now on, you sign in with the passkey only, or with your password and the passkey. You were signed out of your other sessions.',
  passkey_added: 'It can be used to sign in.',
  passkey_removed: 'It can no longer be used to sign in.',
  codes_replaced: 'The recovery codes that you had before no longer work.',
};

/** Reports a change to the account's address, so that its owner notices if someone else made it. */
export async function mailSecondFactorChange(
  { mailer, publicUrl }: MailDependencies,
  email: string,
  change: SecondFactorChange,
): Promise<void> {
  if (!mailer.isConfigured) return;
  await mailer.send({
    kind: change,
    to: email,
    text: `${accountMails[change]} at ${publicUrl}. ${sentences[change]}\n\n${ifNotYou(publicUrl)}`,
  });
}

/** Reports that a recovery code was used to sign in, and how many are left. */
export async function mailRecoveryCodeUsed(
  { mailer, publicUrl }: MailDependencies,
  email: string,
  left: number,
): Promise<void> {
  if (!mailer.isConfigured) return;
  await mailer.send({
    kind: 'recovery_code_used',
    to: email,
    text:
      `Someone signed in to your account at ${publicUrl} with your password and one of your recovery codes. ` +
      `Recovery codes left: ${left}.\n\nYou can create new codes at ${publicUrl}/account.\n\n${ifNotYou(publicUrl)}`,
  });
}

/** Reports that someone knows the password, but not the second factor. */
export async function mailFailedSecondFactor(
  { mailer, publicUrl }: MailDependencies,
  email: string,
): Promise<void> {
  if (!mailer.isConfigured) return;
  await mailer.send({
    kind: 'wrong_second_factor',
    to: email,
    text:
      `Someone entered the correct password of your account at ${publicUrl}, and then several wrong codes. ` +
      `They were not signed in.\n\n${ifNotYou(publicUrl)}`,
  });
}

const ifNotYou = (publicUrl: string): string =>
  `If this wasn’t you, reset your password now:\n${publicUrl}/forgot-password\n` +
  'That removes neither an authenticator app nor a passkey. If one was added that isn’t yours, ask the people who run the server to remove it.\n';
