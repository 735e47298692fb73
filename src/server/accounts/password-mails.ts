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
