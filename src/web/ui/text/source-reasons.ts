import type { RecordPermissions } from '#contract/records/sharing.ts';
import { t } from '#shared/language/messages.ts';

const levels = ['view', 'use', 'edit', 'manage'] as const;

/**
 * Returns why you can't query or edit a data source; undefined when you can. `roleReason` is why your role doesn't permit it for
 * data sources that aren't shared with you, which is all that is known while the permissions load.
 */
export function reasonAgainstSource(
  needed: 'use' | 'edit',
  permissions: RecordPermissions | undefined,
  roleReason: string | undefined,
): string | undefined {
  if (permissions === undefined) return roleReason;
  if (levels.indexOf(permissions.access) >= levels.indexOf(needed)) return undefined;
  if (roleReason !== undefined && !permissions.restricted) return roleReason;
  return needed === 'use'
    ? t('You can’t query this data source. Ask its owner or an admin of the organization.')
    : t('You can’t edit this data source. Ask its owner or an admin of the organization.');
}
