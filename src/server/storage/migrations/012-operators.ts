import type { Migration } from './migration.ts';

/** Who operates the server, beside all organizations. */
export const operators: Migration = () => [
  'alter table users add column is_operator integer not null default 0',
];
