import type { Migration } from './migration.ts';

/**
 * Results of a sign-in: whether an address is verified, a pending link to an account, and when a session was confirmed.
 */
export const signInProofs: Migration = ({ text }) => [
  'alter table users add column is_email_verified integer not null default 1',
  // Set again at their next sign-in.
  'update users set is_email_verified = 0 where organization_id is not null',
  `alter table sso_attempts add column claims ${text}`,
  `alter table sso_attempts add column user_id ${text}`,
  `alter table sessions add column confirmed_at ${text}`,
];
