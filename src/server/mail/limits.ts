import { tooManyAttempts } from '../base/rate-limit.ts';
import { daysMs } from '../base/clock.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import { normalizeEmail } from '../base/texts/email-address.ts';
import type { Transaction } from '../storage/database.ts';
import { countLimited } from '../storage/limited-counts.ts';
import {
  accountMailRate,
  memberMailRate,
  organizationMails,
  type AccountMailKind,
  type OrganizationMailKind,
  type Rate,
} from './kinds.ts';

/** The limits that the operator chooses. */
export interface MailLimits {
  /** Emails with invitations in 24 hours, of an organization. */
  readonly organizationInvitationsPerDay: number;
  /** The same of all organizations together. */
  readonly invitationsPerDay: number;
}

/** Who gets an email, and whose limits it counts under. An email that an organization causes always names the organization. */
export type MailTarget =
  | { readonly kind: AccountMailKind; readonly to: string }
  | { readonly kind: OrganizationMailKind; readonly to: string; readonly organizationId: string };

/** Proof that an email was counted under its limits. Only `reserveMail` creates it. */
export class MailReservation {
  readonly target: MailTarget;
  private constructor(target: MailTarget) {
    this.target = target;
  }

  /** Counts an email in a transaction, which is undone if a limit is reached. Throws `too_many_attempts`. */
  static async create(
    transaction: Transaction,
    { limits, now }: { readonly limits: MailLimits; readonly now: number },
    target: MailTarget,
  ): Promise<MailReservation> {
    // Always in the same order, so that transactions at the same time don't lock each other out.
    for (const [key, { limit, windowMs }] of ratesOf(target, limits)) {
      const reached = await countLimited(transaction, { key: `mail ${key}`, limit }, { now, windowMs });
      if (reached !== undefined) throw tooManyAttempts({ ...reached, windowMs }, 'emails of this kind');
    }
    return new MailReservation(target);
  }
}

/** Returns each key under which an email counts, from the narrowest to the widest. Addresses are hashed. */
function ratesOf(target: MailTarget, limits: MailLimits): (readonly [key: string, Rate])[] {
  const { kind, to } = target;
  const recipient = hashToken(normalizeEmail(to) ?? to);
  if (!('organizationId' in target)) return [[`${kind} to ${recipient}`, accountMailRate]];
  const { recipient: rate, goesToAnyone } = organizationMails[target.kind];
  const { organizationId } = target;
  if (!goesToAnyone)
    return [
      [`${kind} to ${recipient} of ${organizationId}`, rate],
      [`${kind} of ${organizationId}`, memberMailRate],
    ];
  const perDay = (limit: number): Rate => ({ limit, windowMs: daysMs(1) });
  return [
    [`${kind} to ${recipient}`, rate],
    [`${kind} of ${organizationId}`, perDay(limits.organizationInvitationsPerDay)],
    [`${kind} of all`, perDay(limits.invitationsPerDay)],
  ];
}
