import type { Migration } from './migration.ts';

/** When the operator disabled an account. */
export const disabledAccounts: Migration = ({ text }) => [`alter table users add column disabled_at ${text}`];
