import type { Migration } from './migration.ts';

/** Deleted accounts, whose rows stay as pseudonyms, and those of which something still has to be deleted. */
export const accountDeletions: Migration = ({ text }) => [
  `alter table users add column deleted_at ${text}`,
  `create table account_deletions (
    user_id ${text} primary key references users (id),
    email ${text},
    organization_id ${text},
    deleted_at ${text} not null,
    forgotten_at ${text}
  )`,
];
