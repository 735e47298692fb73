import type { Mailer } from '../mail/mailer.ts';

/** Tells the person of an account that its password was changed, so that a stranger who did it is noticed. */
export async function mailPasswordChanged(
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  email: string,
): Promise<void> {
  if (!mailer.isConfigured) return;
  await mailer.send({
    to: email,
    subject: 'Your Atrium password was changed',
    text:
      `The password of your account at ${publicUrl} was changed, and your other sessions were ended.\n\n` +
      `If it was not you, reset the password now:\n${publicUrl}/forgot-password\n`,
  });
}
