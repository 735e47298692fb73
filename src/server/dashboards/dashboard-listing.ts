import type { DashboardSummary } from '#contract/dashboards.ts';
import type { Actor } from '../base/actor.ts';
import { cursorOf, type Page, type PageRequest } from '../base/paging.ts';
import { listOrganizationIds, requireRole } from '../organizations/members.ts';
import type { Reader } from '../storage/database.ts';
import {
  findLargeHead,
  selectNewestOfOrganization,
  selectNewestPersonal,
  type ListedDashboard,
} from './dashboard-list-store.ts';

/** Lists, newest first, the dashboards of one organization, or the actor's own and those of all organizations. */
export async function listDashboards(
  reader: Reader,
  actor: Actor,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<Page<DashboardSummary>> {
  if (organizationId !== undefined) await requireRole(reader, actor, organizationId, 'viewer');
  const organizationIds =
    organizationId === undefined ? await listOrganizationIds(reader, actor) : [organizationId];
  const opensOwn = organizationId === undefined && actor.onlyOrganizationId === undefined;
  const { userId } = actor;
  return readPage(reader, page, {
    keyOf: ({ id }) => id,
    order: newestFirst,
    read: async (after, limit) => {
      const range = { userId, before: after ?? '~', limit };
      const rows = opensOwn ? await selectNewestPersonal(reader, range) : [];
      for (const one of organizationIds) {
        rows.push(
          ...(await selectNewestOfOrganization(reader, { ...range, organizationId: one, isOwn: false })),
        );
      }
      return rows;
    },
  });
}

/** A list in its order, from which parts are read. */
interface Listing {
  readonly keyOf: (dashboard: ListedDashboard) => string;
  readonly order: (one: ListedDashboard, other: ListedDashboard) => number;
  /** Returns at least the first `limit` behind `after`, of those there are. */
  read(after: string | undefined, limit: number): Promise<ListedDashboard[]>;
}

/** How often a page goes on behind rows that the reader may not see; after so many it ends early. */
const maxParts = 5;
const partLength = 200;

async function readPage(
  reader: Reader,
  page: PageRequest,
  listing: Listing,
): Promise<Page<DashboardSummary>> {
  const seen: ListedDashboard[] = [];
  let after = page.after;
  let hasMore = true;
  for (let part = 0; part < maxParts && hasMore && seen.length <= page.limit; part += 1) {
    const limit = part === 0 ? page.limit + 1 : partLength;
    const rows = (await listing.read(after, limit)).toSorted(listing.order).slice(0, limit);
    seen.push(...rows.filter(({ isSeen }) => isSeen));
    hasMore = rows.length === limit;
    const last = rows.at(-1);
    if (last !== undefined) after = listing.keyOf(last);
  }
  const shown = withinBytes(seen.slice(0, page.limit));
  const items = await withLargeHeads(reader, shown);
  const lastShown = shown.at(-1);
  if (shown.length < seen.length && lastShown !== undefined) {
    return { items, nextCursor: cursorOf(listing.keyOf(lastShown)) };
  }
  return { items, ...(hasMore && after !== undefined && { nextCursor: cursorOf(after) }) };
}

const maxPageBytes = 4 * 1024 * 1024;

/** Names and descriptions have no limit of their own, so a page ends early rather than grow without one. */
export function withinBytes<Item extends { readonly sizeBytes: number }>(items: readonly Item[]): Item[] {
  let bytes = 0;
  return items.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index === 0 || bytes <= maxPageBytes;
  });
}

async function withLargeHeads(
  reader: Reader,
  shown: readonly ListedDashboard[],
): Promise<DashboardSummary[]> {
  const summaries: DashboardSummary[] = [];
  for (const { id, summary, isLarge } of shown) {
    if (!isLarge) {
      summaries.push(summary);
      continue;
    }
    const head = await findLargeHead(reader, id);
    if (head === undefined) continue;
    const { createdAt, updatedAt, ...rest } = summary;
    const { name, description } = head;
    summaries.push({ ...rest, name, ...(description !== null && { description }), createdAt, updatedAt });
  }
  return summaries;
}

const newestFirst = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? 1 : -1);
