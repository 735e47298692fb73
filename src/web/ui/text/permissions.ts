import { t } from '#shared/language/messages.ts';
import { may, roles, type Action, type Role } from '#shared/permissions.ts';
import { roleNames } from './roles.ts';

/** Returns why a role does not permit an action, to show on a disabled button; undefined when it does. */
export function reasonAgainst(action: Action, role: Role | undefined): string | undefined {
  if (may(role, action)) return undefined;
  const lowest = roles.findLast((other) => may(other, action)) ?? roles[0];
  return lowest === roles[0]
    ? t('Requires the {role} role. Ask an admin of the organization.', { role: roleNames[lowest] })
    : t('Requires the {role} role or higher. Ask an admin of the organization.', { role: roleNames[lowest] });
}
