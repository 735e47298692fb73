import { daysMs, hoursMs } from '../base/clock.ts';

/** How many emails are sent in a window of time. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * The emails to people about their own account. Their subjects are fixed, and so are those of all others: nobody can write the subject
 * of an email that this server sends.
 */
export const accountMails = {
  password_reset: 'Reset your Atrium password',
  no_password: 'How to sign in to Atrium',
  password_changed: 'Your Atrium password was changed',
  app_added: 'An authenticator app was added to your Atrium account',
  app_replaced: 'The authenticator app of your Atrium account was replaced',
  app_removed: 'The authenticator app was removed from your Atrium account',
  first_passkey_added: 'A passkey was added to your Atrium account',
  passkey_added: 'A passkey was added to your Atrium account',
  passkey_removed: 'A passkey was removed from your Atrium account',
  codes_replaced: 'Your Atrium recovery codes were replaced',
  recovery_code_used: 'A recovery code was used to sign in to Atrium',
  wrong_second_factor: 'Someone entered your Atrium password and wrong codes',
  account_deleted: 'Your Atrium account was deleted',
} as const;
export type AccountMailKind = keyof typeof accountMails;

/**
 * The limit of each kind of these emails for each address. It has no other: what somebody does to their account, or to other accounts,
 * never keeps a notice from another person, and one kind never uses up another.
 */
export const accountMailRate: Rate = { limit: 20, windowMs: hoursMs(1) };

interface OrganizationMail {
  readonly subject: string;
  /** The limit for each address. */
  readonly recipient: Rate;
  /**
   * Whether anyone can be the recipient. Then all organizations together have that limit for an address, and one for the whole server,
   * which are those of the settings; members get the emails of their organization whatever others send them.
   */
  readonly goesToAnyone: boolean;
}

const toMembers = { recipient: { limit: 20, windowMs: daysMs(1) }, goesToAnyone: false };

/** The emails that an organization causes. */
export const organizationMails = {
  invitation: {
    subject: 'You are invited to an organization on Atrium',
    recipient: { limit: 5, windowMs: daysMs(1) },
    goesToAnyone: true,
  },
  comment: {
    ...toMembers,
    subject: 'There is a new comment for you on Atrium',
    recipient: { limit: 20, windowMs: hoursMs(1) },
  },
  credentials_expire: { ...toMembers, subject: 'Credentials for Atrium expire soon' },
  client_secret_expires: { ...toMembers, subject: 'The client secret of single sign-on expires soon' },
  certificate_expires: { ...toMembers, subject: 'The certificate of single sign-on expires soon' },
  data_downloaded: { ...toMembers, subject: 'All data of your Atrium organization was downloaded' },
  member_left: { ...toMembers, subject: 'A member of your Atrium organization deleted their account' },
  organization_deleted: { ...toMembers, subject: 'Your Atrium organization will be deleted' },
  organization_ended: { ...toMembers, subject: 'Your Atrium organization was deleted permanently' },
} as const satisfies Readonly<Record<string, OrganizationMail>>;
export type OrganizationMailKind = keyof typeof organizationMails;

/** The emails of one kind that an organization sends to its members. Invitations have the limit of the settings. */
export const memberMailRate: Rate = { limit: 2_000, windowMs: daysMs(1) };
