import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import type { DashboardInFolderInput } from '#contract/records/folder-items.ts';
import { requireFullScope, type Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { placeOfCopy, requireFolderForNew } from '../folders/creation.ts';
import { createRecord } from '../records/create.ts';
import type { NewPlace } from '../records/record.ts';
import type { Transaction } from '../storage/database.ts';
import { requireDashboard } from './access/access.ts';
import { contentOf, newWidgets } from './content/content.ts';
import { editorsOfNew, readEditors } from './content/widget-editors.ts';
import { dashboardKind } from './kind.ts';
import type { StoredDashboard } from './store.ts';

/** Creates a dashboard in an organization, which requires the editor role or higher, or a personal one. */
export async function addDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: DashboardInput,
  {
    id,
    editorsOf,
    ...place
  }: NewPlace & {
    /** The ID that it gets, if one was chosen before. */
    readonly id?: string;
    /** Returns who put a widget of the input there, besides the actor: who proposed it, or edited what it is copied from. */
    readonly editorsOf?: (index: number) => readonly string[];
  } = {},
): Promise<StoredDashboard> {
  const { name, description, organizationId } = input;
  if (organizationId === undefined) requireFullScope(actor, 'Create the dashboard in that organization.');
  else await requirePermission(transaction, actor, organizationId, 'dashboard.create');
  const { userId } = actor;
  const widgets = newWidgets(input.widgets ?? []);
  return createRecord(transaction, dashboardKind, {
    ...(id !== undefined && { id }),
    userId,
    organizationId,
    place,
    at: timestamp(clock()),
    change: 'created',
    content: {
      name,
      ...(description !== undefined && { description }),
      widgets,
    },
    ...(editorsOf && {
      attributes: { editorsJson: editorsOfNew(widgets, (index) => [userId, ...editorsOf(index)], userId) },
    }),
  });
}

/**
 * Creates a dashboard in a folder, with the access of the folder from the first moment. Requires permission to edit the folder, and
 * the editor role or higher. Throws `not_found` for a folder that the actor may not see.
 */
export async function addDashboardInFolder(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  folderId: string,
  input: DashboardInFolderInput,
): Promise<StoredDashboard> {
  const { organizationId } = await requireFolderForNew(transaction, actor, folderId, 'dashboard.create');
  return addDashboard(transaction, clock, actor, { ...input, organizationId }, { folderId });
}

/**
 * Creates a copy of a dashboard that the actor may see, by default in the same organization, named "… (copy)" and in no folder. If
 * the original is restricted, by itself or by its folder, so is the copy: copying doesn't show it to more people. Throws `forbidden`
 * for a folder that would. The editors of its widgets are those of the original and the actor, who may not have looked at each of them.
 */
export async function duplicateDashboard(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: { id: string; name?: string; organizationId?: string | null; folderId?: string },
): Promise<StoredDashboard> {
  const original = await requireDashboard(transaction, actor, input.id);
  const { name, description, widgets } = contentOf(original);
  const organizationId = input.organizationId === undefined ? original.organizationId : input.organizationId;
  const place = await placeOfCopy(transaction, actor, 'dashboard', original, {
    organizationId: organizationId ?? undefined,
    folderId: input.folderId,
  });
  const editorsOf = readEditors(original);
  const copy = {
    name: input.name ?? `${name} (copy)`,
    ...(description !== undefined && { description }),
    ...(typeof organizationId === 'string' && { organizationId }),
    widgets: [...widgets],
  };
  return addDashboard(transaction, clock, actor, copy, {
    ...place,
    editorsOf: (index) => editorsOf(widgets[index]?.id ?? ''),
  });
}
