import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Hands a mail over; returns whether a mail server took it. Never throws: what failed is logged. */
export type SendMail = (mail: Mail) => Promise<boolean>;

/** Returns how to send mail through `smtpUrl`; without one nothing is sent. */
export function createMailer(
  settings: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  logFailure: (error: unknown) => void,
): SendMail {
  if (settings.smtpUrl === undefined) return async () => false;
  const transport = createTransport({
    url: settings.smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
  });
  return async (mail) => {
    try {
      await transport.sendMail({ ...mail, from: settings.mailFrom });
      return true;
    } catch (error) {
      logFailure(error);
      return false;
    }
  };
}
