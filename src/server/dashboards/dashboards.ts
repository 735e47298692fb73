import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { requireRole } from '../organizations/members.ts';
import { requireExpected, type ExpectedVersion } from '../records/edit.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { requireDashboard, requireDashboardToChange } from './access/access.ts';
import { recordDashboardChange } from './audit.ts';
import { newWidgets, widgetsText } from './content/content.ts';
import { insertDashboard, markDashboardDeleted, type StoredDashboard } from './store.ts';
import { contentOf } from './history/versions.ts';

/** Creates a dashboard: under an organization it takes an editor, without one it is the actor's own. */
export async function addDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: DashboardInput,
): Promise<StoredDashboard> {
  const { name, description, organizationId } = input;
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
  if (organizationId === undefined) requireOwnDashboards(actor);
  else await requireRole(transaction, actor, organizationId, 'editor');
  await insertDashboard(transaction, stored);
  return stored;
}

/** Returns a dashboard that the actor may see. Throws `not_found`. */
export const getDashboard = (reader: Reader, actor: Actor, id: string): Promise<StoredDashboard> =>
  requireDashboard(reader, actor, id);

/** Makes a copy of a dashboard that the actor may see: by default where the original is, under a name that tells so. */
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

/** Puts a dashboard into the bin. Throws `unknown_version` when it is none of the expected. */
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

function requireOwnDashboards(actor: Actor): void {
  if (actor.onlyOrganizationId !== undefined) {
    throw new AtriumError(
      'forbidden',
      'This session opens one organization alone; create the dashboard under it.',
    );
  }
}
