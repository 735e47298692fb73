import type { Migration } from './migration.ts';

/**
 * Whether changes of single sign-on need a confirmation of identity. Programs without this step would not ask for it; they can't use the
 * schema.
 */
export const confirmationOfSsoChanges: Migration = () => [
  'alter table session_policies add column confirm_sso_changes integer not null default 0',
];
