import type { Migration } from './migration.ts';

/** How long sessions last, how many there can be, and from where the organization can be reached. Null means no limit. */
export const sessionPolicies: Migration = ({ text }) => [
  `create table session_policies (
     organization_id ${text} primary key references organizations (id) on delete cascade,
     idle_minutes integer,
     absolute_hours integer,
     max_sessions integer,
     addresses ${text} not null
   )`,
];
