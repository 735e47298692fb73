import type { Migration } from './migration.ts';

/** The sealed ID token of a session, which its sign-out sends back to the identity provider. */
export const idTokens: Migration = ({ text }) => [
  `create table sso_id_tokens (
    session_id ${text} primary key references sessions (id) on delete cascade,
    id_token ${text} not null
  )`,
];
