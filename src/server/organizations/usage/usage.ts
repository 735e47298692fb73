import type { Usage } from '#contract/organizations/usage.ts';
import { requireFullScope, type Actor } from '../../base/actor.ts';
import type { Tenant } from '../../base/tenant.ts';
import { limitOf } from '../../quotas/quotas.ts';
import { measureUsage } from '../../quotas/usage.ts';
import type { Database } from '../../storage/database.ts';
import { requirePermission } from '../authorization.ts';

/** Returns how much an organization stores, and the limits. Requires an admin. */
export async function getOrganizationUsage(
  database: Database,
  actor: Actor,
  organizationId: string,
): Promise<Usage> {
  await requirePermission(database, actor, organizationId, 'organization.change');
  return usageOf(database, { kind: 'organization', organizationId });
}

/** Returns how much a person stores outside of organizations, and the limits. Throws `forbidden` in a session of one organization. */
export function getAccountUsage(database: Database, actor: Actor): Promise<Usage> {
  requireFullScope(actor, 'Sign in with a password to see what you store outside of organizations.');
  return usageOf(database, { kind: 'personal', userId: actor.userId });
}

async function usageOf(database: Database, tenant: Tenant): Promise<Usage> {
  const { limits } = database.allowances;
  if (limits === undefined) throw new Error('The server has no quotas.');
  const limit = limitOf(limits, tenant);
  const { records, bytes } = await measureUsage(await database.findReader(), tenant);
  return {
    records: { used: records, limit: limit.records },
    bytes: { used: bytes, limit: limit.bytes },
  };
}
