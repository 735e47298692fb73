import type { Migration } from './migration.ts';

/**
 * Passkeys, and the challenges that they sign. Programs without this step would sign people in with the password only; they can't
 * use the schema.
 */
export const passkeys: Migration = ({ text }) => [
  `create table passkeys (
    id ${text} primary key,
    credential_id ${text} not null unique,
    user_id ${text} not null references users (id),
    user_handle ${text} not null,
    host ${text} not null,
    public_key ${text} not null,
    counter bigint not null,
    transports ${text} not null,
    name ${text} not null,
    created_at ${text} not null,
    last_used_at ${text}
  )`,
  'create index passkeys_by_user on passkeys (user_id)',
  `create table passkey_challenges (
    token_hash ${text} primary key,
    challenge ${text} not null,
    purpose ${text} not null,
    user_id ${text} references users (id),
    user_handle ${text},
    expires_at ${text} not null
  )`,
  'create index passkey_challenges_by_user on passkey_challenges (user_id)',
  'create index passkey_challenges_by_expiry on passkey_challenges (expires_at)',
];
