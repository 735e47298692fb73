import type { Migration } from './migration.ts';

/** Since when a token doesn't work because the database was restored from a backup; null once an owner has confirmed it. */
export const suspendedTokens: Migration = ({ text }) => [
  `alter table tokens add column suspended_at ${text}`,
];
