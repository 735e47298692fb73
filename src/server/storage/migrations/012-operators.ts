import type { Migration } from './migration.ts';

/** The operators of the server, independent of organizations. */
export const operators: Migration = () => [
  'alter table users add column is_operator integer not null default 0',
];
