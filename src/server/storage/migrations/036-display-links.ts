import type { Migration } from './migration.ts';

/** Links for wall displays, each of which shows one dashboard with the access of the person who created it. */
export const displayLinks: Migration = ({ text }) => [
  `create table display_links (
    id ${text} primary key,
    token_hash ${text} not null unique,
    dashboard_id ${text} not null references dashboards (id) on delete cascade,
    organization_id ${text} not null references organizations (id) on delete cascade,
    name ${text} not null,
    filters ${text} not null,
    created_by ${text} not null references users (id),
    method ${text} not null,
    satisfies_sso integer not null,
    created_at ${text} not null,
    expires_at ${text},
    last_used_at ${text}
  )`,
  'create index display_links_by_dashboard on display_links (dashboard_id, id)',
  'create index display_links_by_creator on display_links (organization_id, created_by)',
];
