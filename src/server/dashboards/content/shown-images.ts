import { imagesIn } from '#shared/content-widgets/images-in.ts';
import { noteImagesOfDashboard, selectClosedImages, selectImagesOfDashboard } from '../../images/access.ts';
import type { Transaction } from '../../storage/database.ts';
import type { StoredDashboard } from '../store.ts';
import { contentOf } from './content.ts';
import { readEditors } from './widget-editors.ts';

/** As many as an organization can have. A dashboard that names more doesn't open the further ones. */
const maxImages = 1_000;

/**
 * Notes which images a new version of a dashboard shows: people who may see the dashboard may see them, and an image that only
 * restricted dashboards show is as restricted. An image that one of the editors of its widget may not see isn't noted, since
 * someone could otherwise open it by adding its ID to a dashboard. What former versions show stays noted.
 */
export async function noteShownImages(transaction: Transaction, dashboard: StoredDashboard): Promise<void> {
  const { id: dashboardId, organizationId, widgetsJson } = dashboard;
  // Both ways to name an image have the word, and most dashboards have none of them.
  if (organizationId === undefined || !widgetsJson.includes('image')) return;
  const editorsById = new Map<string, Set<string>[]>();
  const editorsOf = readEditors(dashboard);
  for (const widget of contentOf(dashboard).widgets) {
    for (const { id } of imagesIn(widget)) {
      const known = editorsById.get(id);
      if (known === undefined && editorsById.size >= maxImages) break;
      editorsById.set(id, [...(known ?? []), new Set(editorsOf(widget.id))]);
    }
  }
  if (editorsById.size === 0) return;
  for (const id of await selectImagesOfDashboard(transaction, dashboardId)) editorsById.delete(id);
  const hashes = [...editorsById.keys()];
  if (hashes.length === 0) return;
  const closedTo = new Map<string, ReadonlySet<string>>();
  for (const userId of new Set([...editorsById.values()].flat().flatMap((editors) => [...editors]))) {
    closedTo.set(userId, await selectClosedImages(transaction, { organizationId, userId, hashes }));
  }
  const open = hashes.filter((hash) =>
    editorsById
      .get(hash)
      ?.some((editors) => [...editors].every((userId) => closedTo.get(userId)?.has(hash) === false)),
  );
  if (open.length > 0)
    await noteImagesOfDashboard(transaction, { organizationId, dashboardId, hashes: open });
}
