import type { Migration } from './migration.ts';

/** The longest time for which a session was not used, so that an organization can refuse it afterwards. */
export const sessionPauses: Migration = () => [
  'alter table sessions add column longest_pause_ms integer not null default 0',
];
