import type { Migration } from './migration.ts';

/** The sessions at identity providers by which people signed in, and when a provider last ended some here. */
export const directorySessions: Migration = ({ text }) => [
  `create table sso_sessions (
    session_id ${text} primary key references sessions (id) on delete cascade,
    configuration_id ${text} not null,
    issuer ${text} not null,
    subject ${text} not null,
    provider_session_id ${text},
    created_at ${text} not null
  )`,
  'create index sso_sessions_by_subject on sso_sessions (configuration_id, subject)',
  'create index sso_sessions_by_provider_session on sso_sessions (configuration_id, provider_session_id)',
  `alter table sso_outcomes add column logged_out_at ${text}`,
  `alter table sso_outcomes add column logged_out ${text}`,
];
