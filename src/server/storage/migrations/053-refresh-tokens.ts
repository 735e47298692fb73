import type { Migration } from './migration.ts';

/** The refresh tokens of sessions through identity providers, with which people are checked again. */
export const refreshTokens: Migration = ({ text }) => [
  `create table sso_refresh_tokens (
    session_id ${text} primary key references sessions (id) on delete cascade,
    organization_id ${text} not null,
    configuration_id ${text} not null,
    discovery_url ${text} not null,
    client_id ${text} not null,
    refresh_token ${text} not null,
    checked_at ${text} not null,
    due_at ${text} not null,
    failing_since ${text},
    holder ${text},
    held_until ${text}
  )`,
  'create index sso_refresh_tokens_by_due on sso_refresh_tokens (due_at)',
  'create index sso_refresh_tokens_by_configuration on sso_refresh_tokens (configuration_id, due_at)',
  // Organizations that already have SSO turn it on themselves: their provider may refuse a sign-in that asks for a refresh token.
  'alter table sso_policies add column revalidate_minutes integer not null default 0',
  `insert into sso_policies (organization_id, configuration_id, default_role, role_mappings, revalidate_minutes)
    select organization_id, case when is_first = 1 then '' else id end, 'viewer', '[]', 0
    from sso_configurations
    where not exists (
      select 1 from sso_policies
      where sso_policies.organization_id = sso_configurations.organization_id
        and sso_policies.configuration_id = case when sso_configurations.is_first = 1 then '' else sso_configurations.id end
    )`,
  // Which notice about the expiry of the client secret was mailed.
  `alter table sso_policies add column secret_noticed ${text}`,
  'alter table sso_outcomes add column logged_out_seconds integer',
];
