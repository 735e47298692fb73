import type { Migration } from './migration.ts';

/**
 * The organizations that a session has opened, so that the audit log of each has the address of the sign-in once. Null for sessions whose
 * address every organization that they open has already.
 */
export const openedOrganizations: Migration = ({ text }) => [
  `alter table sessions add column opened_organizations ${text}`,
];
