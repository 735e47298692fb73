import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { requireExpected, type ExpectedVersion } from '../records/edit.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { requireDashboard, requireDashboardToChange } from './access/access.ts';
import { recordDashboardChange } from './audit.ts';
import { newWidgets, widgetsText } from './content/content.ts';
import { insertDashboard, markDashboardDeleted, type StoredDashboard } from './store.ts';
import { contentOf } from './history/versions.ts';

/** Creates a dashboard: in an organization, which requires an editor, or a personal one of the actor. */
export async function addDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: DashboardInput,
): Promise<StoredDashboard> {
  const { name, description, organizationId } = input;
  if (organizationId === undefined) requireFullScope(actor, 'Create the dashboard in that organization.');
  else await requirePermission(transaction, actor, organizationId, 'dashboard.create');
  const now = timestamp(clock());
  const stored: StoredDashboard = {
    summary: {
      id: newId(),
      userId: actor.userId,
      ...(organizationId !== undefined && { organizationId }),
      name,
      ...(description !== undefined && { description }),
      createdAt: now,
      updatedAt: now,
    },
    widgetsJson: widgetsText(newWidgets(input.widgets ?? [])),
    version: 1,
    updatedBy: actor.userId,
    change: 'created',
    restoredFrom: undefined,
    saveHash: undefined,
  };
  await insertDashboard(transaction, stored);
  return stored;
}

/** Returns a dashboard that the actor may see. Throws `not_found`. */
export const getDashboard = (reader: Reader, actor: Actor, id: string): Promise<StoredDashboard> =>
  requireDashboard(reader, actor, id);

/** Creates a copy of a dashboard that the actor may see: by default where the original is, named "… (copy)". */
export async function duplicateDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: { id: string; name?: string; organizationId?: string | null },
): Promise<StoredDashboard> {
  const original = await requireDashboard(transaction, actor, input.id);
  const { name, description, widgets } = contentOf(original);
  const organizationId =
    input.organizationId === undefined ? original.summary.organizationId : input.organizationId;
  return addDashboard(transaction, clock, actor, {
    name: input.name ?? `${name} (copy)`,
    ...(description !== undefined && { description }),
    ...(typeof organizationId === 'string' && { organizationId }),
    widgets: [...widgets],
  });
}

/** Moves a dashboard to the trash. Throws `unknown_version` unless its version is one of the expected. */
export async function deleteDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { id: string; expected: ExpectedVersion },
): Promise<void> {
  const { id, expected } = input;
  await database.write(async (transaction) => {
    const { summary, version } = await requireDashboardToChange(transaction, actor, id, 'edit');
    requireExpected(expected, version);
    await markDashboardDeleted(transaction, { id, at: timestamp(clock()), userId: actor.userId });
    await recordDashboardChange(transaction, clock, actor, { action: 'dashboard.deleted', summary });
  });
}
