import type { Migration } from './migration.ts';

/** The part of a deleted configuration that the organization's next one continues, so that it recognizes its people. */
export const formerSsoConfigurations: Migration = ({ text }) => [
  `create table former_sso_configurations (
    organization_id ${text} primary key references organizations (id),
    id ${text} not null unique,
    version integer not null,
    created_at ${text} not null
  )`,
];
