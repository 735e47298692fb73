import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { cursorOf, withinBytes, type Page, type PageRequest } from '../../base/paging.ts';
import type { Reader } from '../../storage/database.ts';
import { findLargeHead, type ListedDashboard } from './store.ts';

/** What a list is about: which dashboards the actor may look for, and among which. */
export interface ListScope {
  readonly userId: string;
  readonly organizationIds: readonly string[];
  /** Whether dashboards that belong to no organization are in it. */
  readonly hasPersonal: boolean;
  readonly isOwn: boolean;
  /** The words of the search; none finds nothing, undefined is no search. */
  readonly terms: readonly string[] | undefined;
}

/** Returns what the entries of the index are kept under. */
export const scopesOf = ({ userId, organizationIds, hasPersonal }: ListScope): string[] =>
  hasPersonal ? [userId, ...organizationIds] : [...organizationIds];

/** A list in its order, from which parts are read. */
export interface Listing {
  readonly keyOf: (dashboard: ListedDashboard) => string;
  readonly order: (one: ListedDashboard, other: ListedDashboard) => number;
  /** Returns at least the first `limit` behind `after`, of those there are. */
  read(after: string | undefined, limit: number): Promise<ListedDashboard[]>;
}

/** How often a page goes on behind rows that the reader may not see; after so many it ends early. */
const maxParts = 5;
const partLength = 200;

/** Returns a page of a list: it ends early behind many rows that the reader may not see. */
export async function readPage(
  reader: Reader,
  page: PageRequest,
  { scope, stars, listing }: { scope: ListScope; stars: ReadonlySet<string>; listing: Listing },
): Promise<Page<DashboardListItem>> {
  const seen: ListedDashboard[] = [];
  let { after } = page;
  let hasMore = true;
  for (let part = 0; part < maxParts && hasMore && seen.length <= page.limit; part += 1) {
    const limit = part === 0 ? page.limit + 1 : partLength;
    const rows = (await listing.read(after, limit)).toSorted(listing.order).slice(0, limit);
    seen.push(...rows.filter((row) => isOpen(row, scope)));
    hasMore = rows.length === limit;
    const last = rows.at(-1);
    if (last !== undefined) after = listing.keyOf(last);
  }
  const shown = withinBytes(seen.slice(0, page.limit));
  const items = await toItems(reader, shown, stars);
  const lastShown = shown.at(-1);
  if (shown.length < seen.length && lastShown !== undefined) {
    return { items, nextCursor: cursorOf(listing.keyOf(lastShown)) };
  }
  return { items, ...(hasMore && after !== undefined && { nextCursor: cursorOf(after) }) };
}

/** Whether a dashboard belongs into a list, and its reader may see it. */
export function isOpen({ isSeen, userId, organizationId }: ListedDashboard, scope: ListScope): boolean {
  if (isSeen !== 1 || (scope.isOwn && userId !== scope.userId)) return false;
  if (organizationId === null) return scope.hasPersonal && userId === scope.userId;
  return scope.organizationIds.includes(organizationId);
}

/** Returns what the contract has in a list, with the large names and descriptions, which are read one by one. */
export async function toItems(
  reader: Reader,
  shown: readonly ListedDashboard[],
  stars: ReadonlySet<string>,
): Promise<DashboardListItem[]> {
  const items: DashboardListItem[] = [];
  for (const row of shown) {
    const head = row.name === null ? await findLargeHead(reader, row.id) : row;
    // It was purged a moment ago.
    if (head === undefined || head.name === null) continue;
    const { id, userId, organizationId, createdAt, updatedAt } = row;
    const item: DashboardListItem = {
      id,
      userId,
      name: head.name,
      createdAt,
      updatedAt,
      isStarred: stars.has(id),
    };
    if (organizationId !== null) item.organizationId = organizationId;
    if (head.description !== null) item.description = head.description;
    items.push(item);
  }
  return items;
}

/** The order of both engines, which is that of UTF-8. */
export const byBytes = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
