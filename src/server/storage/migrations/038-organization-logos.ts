import type { Migration } from './migration.ts';

/** The logo of each organization that has one. The content is in Base64, as that of images. */
export const organizationLogos: Migration = ({ text }) => [
  `create table organization_logos (
    organization_id ${text} primary key references organizations (id) on delete cascade,
    id ${text} not null unique,
    type ${text} not null,
    content ${text} not null,
    uploaded_at ${text} not null
  )`,
];
