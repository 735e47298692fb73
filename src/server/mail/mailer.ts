import type { Transporter } from 'nodemailer';

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
  const { smtpUrl, mailFrom } = settings;
  if (smtpUrl === undefined) return async () => false;
  let transport: Promise<Transporter> | undefined;
  return async (mail) => {
    try {
      transport ??= openTransport(smtpUrl);
      await (await transport).sendMail({ ...mail, from: mailFrom });
      return true;
    } catch (error) {
      transport = undefined;
      logFailure(withoutText(error));
      return false;
    }
  };
}

/** The library is loaded where mail is sent: without it a server is smaller. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 });
}

/** A mail server's refusal can repeat the mail, and with it the token of its link: only its codes are kept. */
function withoutText(error: unknown): Error {
  const { code, responseCode } = Object(error) as { code?: string; responseCode?: number };
  return new Error(`The mail server refuses: ${code ?? 'no code'}, ${responseCode ?? 'no answer'}`);
}
