import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { withinBytes } from '../../base/paging.ts';
import type { Reader } from '../../storage/database.ts';
import type { ListPage, Place } from './cursor.ts';
import type { DashboardList } from './lists.ts';
import { findNameAndDescription, findListed, wholeBytes, type ListedDashboard } from './row-store.ts';

/** A page of a list, and the place after which the next page starts, or undefined if it is the last page. */
export interface DashboardPage {
  readonly items: DashboardListItem[];
  readonly last: Place | undefined;
}

/** How many more parts a page reads if the reader may not see the dashboards of the first one; then it ends early. */
const maxParts = 5;
const partLength = 200;

/** Returns a page of a list. It ends early after many dashboards that the reader may not see. */
export async function readPage(
  reader: Reader,
  list: DashboardList,
  { limit, after }: ListPage,
): Promise<DashboardPage> {
  const seen: { place: Place; row: ListedDashboard }[] = [];
  let last = after;
  let hasMore = true;
  for (let part = 0; part < maxParts && hasMore && seen.length <= limit; part += 1) {
    const length = part === 0 ? limit + 1 : partLength;
    const places = await list.read(last, length);
    const rows = await findListed(
      reader,
      places.map(({ id }) => id),
      list.userId,
    );
    for (const place of places) {
      const row = rows.get(place.id);
      if (row !== undefined && list.includes(row)) seen.push({ place, row });
    }
    hasMore = places.length === length;
    last = places.at(-1) ?? last;
  }
  const shown = withinBytes(seen.slice(0, limit).map(({ row }) => row));
  const items = await toItems(reader, shown);
  if (shown.length < seen.length) return { items, last: seen[shown.length - 1]?.place };
  return { items, last: hasMore ? last : undefined };
}

async function toItems(reader: Reader, shown: readonly ListedDashboard[]): Promise<DashboardListItem[]> {
  const items: DashboardListItem[] = [];
  for (const row of shown) {
    const head = row.sizeBytes > wholeBytes ? await findNameAndDescription(reader, row.id) : row;
    // The dashboard was just deleted permanently.
    if (head === undefined) continue;
    const { id, userId, organizationId, createdAt, updatedAt } = row;
    const isStarred = row.starredAt !== null;
    const item: DashboardListItem = { id, userId, name: head.name, createdAt, updatedAt, isStarred };
    if (organizationId !== null) item.organizationId = organizationId;
    if (head.description !== null) item.description = head.description;
    if (row.folderId !== null) item.folderId = row.folderId;
    items.push(item);
  }
  return items;
}
