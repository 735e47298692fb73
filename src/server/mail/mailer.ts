import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { accountMails, organizationMails } from './kinds.ts';
import { MailReservation, type MailLimits, type MailTarget } from './limits.ts';
import type { Delivery, Email, MailTransport } from './transport.ts';

/** An email of a known kind, which decides its subject and its limits. */
export type Mail = MailTarget & { readonly text: string };

/** Sends emails within their limits. */
export interface Mailer {
  /** Whether a mail server is configured (`ATRIUM_SMTP_URL`). */
  readonly isConfigured: boolean;
  /**
   * Sends an email unless a limit is reached. Never throws: a failure is logged and returned. Only called if a mail server is
   * configured.
   */
  send(mail: Mail): Promise<Delivery>;
}

/** A mailer for actions that make no sense without their email. */
export interface ReservingMailer extends Mailer {
  /**
   * Counts an email in the transaction of the action, which is undone if a limit is reached. Throws `too_many_attempts`. Only called
   * if a mail server is configured.
   */
  reserve(transaction: Transaction, target: MailTarget): Promise<MailReservation>;
  /** Sends an email that was counted before. */
  sendReserved(reservation: MailReservation, text: string): Promise<Delivery>;
}

/** Returns a mailer whose limits all processes of the database share. */
export function createMailer(
  transport: MailTransport,
  { database, clock, limits }: MailerDependencies,
): ReservingMailer {
  const reserve = (transaction: Transaction, target: MailTarget) =>
    MailReservation.create(transaction, { limits, now: clock() }, target);
  return {
    get isConfigured() {
      return transport.isConfigured;
    },
    reserve,
    async send(mail) {
      try {
        await database.write((transaction) => reserve(transaction, mail));
      } catch (error) {
        if (!(error instanceof AtriumError) || error.code !== 'too_many_attempts') throw error;
        return { isSent: false, reason: 'too many emails of this kind were sent' };
      }
      return transport.deliver(toEmail(mail));
    },
    sendReserved: ({ target }, text) => transport.deliver(toEmail({ ...target, text })),
  };
}

export interface MailerDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: MailLimits;
}

/** Returns an email with the subject of its kind. */
export const toEmail = (mail: Mail): Email => ({
  to: mail.to,
  subject: 'organizationId' in mail ? organizationMails[mail.kind].subject : accountMails[mail.kind],
  text: mail.text,
});
