import type { Migration } from './migration.ts';

/**
 * The person who created an invitation, whose role is checked again when it is used; and the links that reset
 * passwords.
 */
export const invitersAndPasswordResets: Migration = ({ text }) => [
  `alter table invitations add column invited_by ${text} references users (id)`,
  // The audit log names the inviters of older invitations. An address contains no characters that JSON escapes.
  `update invitations set invited_by = (
    select actor_id from audit_entries
    where audit_entries.organization_id = invitations.organization_id
      and audit_entries.action = 'invitation.created'
      and audit_entries.details =
        '{"email":"' || invitations.email || '","role":"' || invitations.role || '"}'
    order by audit_entries.id desc
    limit 1
  )`,
  `create index invitations_by_inviter on invitations (organization_id, invited_by)`,
  `create table password_resets (
    token_hash ${text} primary key,
    user_id ${text} not null references users (id),
    created_at ${text} not null,
    expires_at ${text} not null
  )`,
  `create index password_resets_by_user on password_resets (user_id)`,
  `create index password_resets_by_expiry on password_resets (expires_at)`,
  // For the email that informs people of a directory that they have no password to reset.
  `create index users_by_directory_email on users (email) where organization_id is not null`,
];
