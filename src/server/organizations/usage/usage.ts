import type { Usage } from '#contract/organizations/usage.ts';
import { requireFullScope, type Actor } from '../../base/actor.ts';
import type { Tenant } from '../../base/tenant.ts';
import { measure } from '../../quotas/quotas.ts';
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
  const { usage, limit } = await measure(await database.findReader(), database.allowances, tenant);
  return {
    records: { used: usage.records, limit: limit.records },
    bytes: { used: usage.bytes, limit: limit.bytes },
  };
}
