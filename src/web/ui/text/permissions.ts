import { may, rolesWith, type Action, type Role } from '#shared/permissions.ts';

/** Returns why a role does not permit an action, to show on a disabled button; undefined when it does. */
export const reasonAgainst = (action: Action, role: Role | undefined): string | undefined =>
  may(role, action) ? undefined : `Requires ${rolesWith(action)}. Ask an admin of the organization.`;
