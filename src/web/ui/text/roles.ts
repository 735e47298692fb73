import { t } from '#shared/language/messages.ts';
import type { Role } from '#shared/permissions.ts';

/** The names of the roles in an organization. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: t('owner'),
  admin: t('admin'),
  editor: t('editor'),
  viewer: t('viewer'),
};

const withArticles: Readonly<Record<Role, string>> = {
  owner: t('an owner'),
  admin: t('an admin'),
  editor: t('an editor'),
  viewer: t('a viewer'),
};

/** Returns the name of a role with its indefinite article, for “as an admin”. */
export const roleWithArticle = (role: Role): string => withArticles[role];

/** Returns the name of a role that may come from a newer server. */
export const roleName = (role: string): string =>
  Object.hasOwn(roleNames, role) ? roleNames[role as Role] : role;
