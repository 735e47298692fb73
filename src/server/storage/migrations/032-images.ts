import type { Migration } from './migration.ts';

/** Uploaded images. The content is in Base64, which both engines store and copy as any other text. */
export const images: Migration = ({ text }) => [
  `create table images (
    organization_id ${text} not null references organizations (id),
    hash ${text} not null,
    type ${text} not null,
    width integer not null,
    height integer not null,
    size_bytes integer not null,
    content ${text} not null,
    created_at ${text} not null,
    primary key (organization_id, hash)
  )`,
];
