import type { Migration } from './migration.ts';

/** What a deleted configuration leaves behind, so that the next of its organization finds its people again. */
export const formerSsoConfigurations: Migration = ({ text }) => [
  `create table former_sso_configurations (
    organization_id ${text} primary key references organizations (id),
    id ${text} not null unique,
    version integer not null,
    created_at ${text} not null
  )`,
];
