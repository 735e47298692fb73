import type { Migration } from './migration.ts';

/**
 * Authenticator apps, recovery codes, and sign-ins that wait for a second factor. Programs without this step would sign people in
 * with the password only; they can't use the schema.
 */
export const secondFactors: Migration = ({ text }) => [
  `create table authenticator_apps (
    user_id ${text} primary key references users (id),
    secret ${text},
    created_at ${text},
    last_step integer not null,
    new_secret ${text}
  )`,
  `create table recovery_codes (
    code_hash ${text} primary key,
    user_id ${text} not null references users (id),
    created_at ${text} not null
  )`,
  'create index recovery_codes_by_user on recovery_codes (user_id)',
  `create table pending_sign_ins (
    token_hash ${text} primary key,
    user_id ${text} not null references users (id),
    attempts integer not null,
    expires_at ${text} not null
  )`,
  'create index pending_sign_ins_by_user on pending_sign_ins (user_id)',
  'create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at)',
];
