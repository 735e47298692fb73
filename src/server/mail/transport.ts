import type { Transporter } from 'nodemailer';

/** An email as the mail server gets it. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Whether the mail server accepted an email; if not, the reason, for the person who caused the email. */
export type Delivery = { readonly isSent: true } | { readonly isSent: false; readonly reason: string };

/** Gives emails to the mail server, without any limit. Features use `Mailer`. */
export interface MailTransport {
  /** Whether a mail server is configured (`ATRIUM_SMTP_URL`). */
  readonly isConfigured: boolean;
  /** Sends an email. Never throws: a failure is logged and returned. Only called if a mail server is configured. */
  deliver(email: Email): Promise<Delivery>;
}

/** Returns the transport through `smtpUrl`; without a URL, nothing is sent. */
export function createMailTransport(
  settings: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  logFailure: (error: unknown) => void,
): MailTransport {
  const { smtpUrl, mailFrom } = settings;
  if (smtpUrl === undefined) {
    return {
      isConfigured: false,
      deliver: async () => ({ isSent: false, reason: 'no mail server is configured' }),
    };
  }
  let transport: Promise<Transporter> | undefined;
  return {
    isConfigured: true,
    async deliver({ to, subject, text }) {
      try {
        transport ??= openTransport(smtpUrl);
        // As an object, so that an address is never read as a list of several.
        await (await transport).sendMail({ to: { name: '', address: to }, subject, text, from: mailFrom });
        return { isSent: true };
      } catch (error) {
        transport = undefined;
        const { code, responseCode } = Object(error) as { code?: string; responseCode?: number };
        // A refusal can quote the email, and with it the token of its link, so only the codes are logged.
        logFailure(
          new Error(`The mail server refused it: ${code ?? 'no code'}, ${responseCode ?? 'no response'}`),
        );
        return { isSent: false, reason: reasonOf(code, responseCode) };
      }
    },
  };
}

/**
 * Returns what went wrong, by the code of the library and the response code of the mail server (RFC 5321, section 4.2).
 */
function reasonOf(code: string | undefined, responseCode: number | undefined): string {
  if (code === 'EAUTH') return 'the mail server rejected the user name or password in ATRIUM_SMTP_URL';
  if (responseCode !== undefined) return `the mail server refused it with code ${responseCode}`;
  return 'the mail server could not be reached';
}

/** The library is loaded at the first email, so that servers without a mail server use less memory. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 });
}
