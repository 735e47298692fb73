import type { Migration } from './migration.ts';

/**
 * Which members need a second factor. Programs without this step would let them use the organization without one; they can't use the
 * schema.
 */
export const authenticationPolicies: Migration = ({ text }) => [
  `alter table session_policies add column second_factor ${text} not null default 'off'`,
];
