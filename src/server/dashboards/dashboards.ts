import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import { restrictRecord } from '../access/sharing.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { createRecord } from '../records/create.ts';
import type { Transaction } from '../storage/database.ts';
import { requireDashboard } from './access/access.ts';
import { contentOf, newWidgets } from './content/content.ts';
import { dashboardKind } from './kind.ts';
import type { StoredDashboard } from './store.ts';

/** Creates a dashboard in an organization, which requires the editor role or higher, or a personal one. */
export async function addDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: DashboardInput,
  /** The ID that it gets, if one was chosen before. */
  id?: string,
): Promise<StoredDashboard> {
  const { name, description, organizationId } = input;
  if (organizationId === undefined) requireFullScope(actor, 'Create the dashboard in that organization.');
  else await requirePermission(transaction, actor, organizationId, 'dashboard.create');
  return createRecord(transaction, dashboardKind, {
    ...(id !== undefined && { id }),
    userId: actor.userId,
    organizationId,
    at: timestamp(clock()),
    change: 'created',
    content: {
      name,
      ...(description !== undefined && { description }),
      widgets: newWidgets(input.widgets ?? []),
    },
  });
}

/**
 * Creates a copy of a dashboard that the actor may see, by default in the same organization and named "… (copy)". A copy is in no
 * folder. If the original is restricted, by itself or by its folder, so is the copy: copying doesn't show it to more people.
 */
export async function duplicateDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: { id: string; name?: string; organizationId?: string | null },
): Promise<StoredDashboard> {
  const original = await requireDashboard(transaction, actor, input.id);
  const { name, description, widgets } = contentOf(original);
  const organizationId = input.organizationId === undefined ? original.organizationId : input.organizationId;
  const copy = await addDashboard(transaction, clock, actor, {
    name: input.name ?? `${name} (copy)`,
    ...(description !== undefined && { description }),
    ...(typeof organizationId === 'string' && { organizationId }),
    widgets: [...widgets],
  });
  if (original.isHidden && copy.organizationId !== undefined)
    await restrictRecord(transaction, { kind: 'dashboard', id: copy.id });
  return copy;
}
