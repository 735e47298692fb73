import type { Migration } from './migration.ts';

/** Users, sessions, organizations, members, invitations, single sign-on configurations, dashboards. */
export const initialSchema: Migration = ({ text }) => [
  `create table set_up_links (
    token_hash ${text} primary key,
    expires_at ${text} not null
  )`,
  `create table users (
    id ${text} primary key,
    email ${text} not null,
    organization_id ${text},
    name ${text} not null,
    password_hash ${text},
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  // An account that a directory manages can have any address; among the others, each address has one account.
  `create unique index users_by_email on users (email) where organization_id is null`,
  `create table organizations (
    id ${text} primary key,
    name ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create table members (
    organization_id ${text} not null references organizations (id),
    user_id ${text} not null references users (id),
    role ${text} not null,
    created_at ${text} not null,
    primary key (organization_id, user_id)
  )`,
  `create index members_by_user on members (user_id, organization_id)`,
  `create table sessions (
    id ${text} primary key,
    token_hash ${text} not null unique,
    user_id ${text} not null references users (id),
    organization_id ${text} references organizations (id),
    method ${text} not null,
    user_agent ${text},
    address ${text},
    created_at ${text} not null,
    last_used_at ${text} not null,
    expires_at ${text} not null
  )`,
  `create index sessions_by_user on sessions (user_id, id)`,
  `create index sessions_by_organization on sessions (organization_id)`,
  `create index sessions_by_expiry on sessions (expires_at)`,
  `create table invitations (
    id ${text} primary key,
    organization_id ${text} not null references organizations (id),
    token_hash ${text} not null unique,
    email ${text} not null,
    role ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    unique (organization_id, email)
  )`,
  `create table sso_configurations (
    organization_id ${text} primary key references organizations (id),
    id ${text} not null unique,
    provider ${text} not null,
    client_id ${text} not null,
    tenant_id ${text},
    discovery_url ${text} not null,
    discovery_url_derived integer not null,
    email_domains ${text} not null,
    enabled integer not null,
    client_secret ${text},
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create table dashboards (
    id ${text} primary key,
    user_id ${text} not null references users (id),
    organization_id ${text} references organizations (id),
    name ${text} not null,
    description ${text},
    widgets ${text} not null,
    version integer not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  `create index dashboards_by_organization on dashboards (organization_id, id)`,
  `create index dashboards_by_user on dashboards (user_id, organization_id, id)`,
];
