import type { DashboardSummary } from '#contract/dashboards/dashboards.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import type { Transaction } from '../storage/database.ts';

/** Writes what was done to a dashboard as a whole into the audit log of its organization, if it belongs to one; without an actor the server did it. */
export async function recordDashboardChange(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  input: {
    action: Extract<AuditAction, `dashboard.${string}`>;
    summary: Pick<DashboardSummary, 'id' | 'name'> & { readonly organizationId?: string | undefined };
    details?: object;
  },
): Promise<void> {
  const { id, name, organizationId } = input.summary;
  if (organizationId === undefined) return;
  await recordAudit(transaction, clock, {
    organizationId,
    action: input.action,
    ...(actor && { actor }),
    details: { dashboardId: id, name: name.slice(0, 200), ...input.details },
  });
}
