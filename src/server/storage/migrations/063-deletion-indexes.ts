import type { Migration } from './migration.ts';

const byOrganization = ['report_tombstones', 'shares', 'sso_identities'];
const byUser = [
  'comment_mentions',
  'comments',
  'dashboard_editors',
  'dashboard_streams',
  'proposed_versions',
  'reports',
  'scim_users',
  'sso_migration_people',
  'sso_recovery_codes',
  'suspended_members',
  'uploads',
];

/**
 * Indexes by account and by organization, without which deleting an organization reads these tables for each row or batch that it deletes,
 * and deleting an account reads them once. And when a member of a deleted organization last signed in through its directory.
 */
export const deletionIndexes: Migration = ({ text }) => [
  `alter table deleted_members add column directory_sign_in_at ${text}`,
  'create index users_by_organization on users (organization_id) where organization_id is not null',
  'create index users_by_creator on users (created_by) where created_by is not null',
  'create index invitations_by_user on invitations (invited_by)',
  'create index display_links_by_user on display_links (created_by)',
  'create index proposals_by_decider on proposals (decided_by) where decided_by is not null',
  'create index tokens_by_creator on tokens (created_by)',
  'create index authorization_requests_by_grant on authorization_requests (grant_id)',
  ...byOrganization.map((table) => `create index ${table}_by_organization on ${table} (organization_id)`),
  ...byUser.map((table) => `create index ${table}_by_user on ${table} (user_id)`),
];
