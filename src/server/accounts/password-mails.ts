import type { Mailer } from '../mail/mailer.ts';

/**
 * Sends an email about a changed password to the account's address, so that its owner notices if someone else did it.
 */
export async function mailPasswordChanged(
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  email: string,
): Promise<void> {
  if (!mailer.isConfigured) return;
  await mailer.send({
    kind: 'password_changed',
    to: email,
    text:
      `The password of your account at ${publicUrl} was changed, and you were signed out of your other sessions.\n\n` +
      `If this wasn’t you, reset your password now:\n${publicUrl}/forgot-password\n`,
  });
}

/** The same for a password that was reset with a link, which ended what somebody else may have created, too. */
export async function mailPasswordReset(
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  email: string,
  { endedTokens, endedDisplayLinks }: { endedTokens: number; endedDisplayLinks: number },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const tokens = `${endedTokens} ${endedTokens === 1 ? 'token or program' : 'tokens and programs'}`;
  const links = `${endedDisplayLinks} ${endedDisplayLinks === 1 ? 'link' : 'links'} for wall displays`;
  await mailer.send({
    kind: 'password_changed',
    to: email,
    text:
      `The password of your account at ${publicUrl} was reset with a link, and you were signed out everywhere.\n\n` +
      `So that nobody else keeps access to your account, ${tokens} with your access and ${links} that you had ` +
      'created no longer work. Create those again that you need.\n\n' +
      'Your passkeys still work, and so do tokens of service accounts. Check both if somebody else had access to your account:\n' +
      `${publicUrl}/account\n\n` +
      `If this wasn’t you, reset your password now:\n${publicUrl}/forgot-password\n`,
  });
}
