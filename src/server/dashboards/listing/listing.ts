import type { DashboardListItem, DashboardListQuery } from '#contract/dashboards/listing.ts';
import type { Fault } from '#contract/problem.ts';
import { requireVisibleFolder } from '../../access/folders-around.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { wordsOf } from '../../base/texts/folded-text.ts';
import { newId } from '../../base/ids.ts';
import type { Page } from '../../base/paging.ts';
import { listOrganizationIds, requirePermission } from '../../organizations/authorization.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { listCursor, readListPage, type ListOrder } from './cursor.ts';
import { keyOf } from './entries.ts';
import type { DashboardIndex } from './indexer.ts';
import { toList, type ListScope } from './lists.ts';
import { readPage } from './page.ts';

/** Lists dashboards that the actor may see. Throws `invalid_parameters`, and `not_found` for the organization. */
export async function listDashboards(
  { database, index }: { database: Database; index: DashboardIndex },
  actor: Actor,
  query: DashboardListQuery,
): Promise<Page<DashboardListItem>> {
  requireValidCombination(query);
  const { filter, folderId } = query;
  const terms = query.q === undefined || query.q.trim() === '' ? undefined : wordsOf(query.q);
  const order = orderOf(query, terms !== undefined);
  const page = readListPage(query, order);
  const scope = await findScope(database, actor, query);
  if (terms?.length === 0) return { items: [] };
  // The newest, of a folder too, are read from the dashboards themselves, everything else from the index.
  if (order !== 'created' || filter === 'starred' || folderId === 'none')
    await index.catchUp({ mayLag: true });
  const isSortedSearch = terms !== undefined && (order === 'name' || order === 'updated');
  // The later pages of a sorted search leave out what was created since the first.
  const endKey = isSortedSearch ? (page.endKey ?? keyOf(newId())) : undefined;
  const reader = { ...(await database.findReader()), engine: database.engine };
  const list = toList(reader, scope, { filter, order, terms, endKey, folderId });
  const { items, last } = await readPage(reader, list, page);
  return { items, ...(last !== undefined && { nextCursor: listCursor(query, order, endKey, last) }) };
}

function requireValidCombination({
  filter,
  sort,
  scope,
  organizationId,
  folderId,
  q,
}: DashboardListQuery): void {
  const faults = [];
  if (folderId !== undefined) {
    if (organizationId === undefined)
      faults.push({ pointer: '/organizationId', code: 'required', message: 'is required with folderId' });
    if (filter !== undefined) faults.push(combination('/folderId', 'filter'));
    if (q !== undefined) faults.push(combination('/folderId', 'q'));
  }
  if (filter === 'recent' && sort !== undefined) faults.push(combination('/sort', 'filter=recent'));
  if (scope !== undefined && organizationId !== undefined) {
    faults.push(combination('/scope', 'organizationId'));
  }
  if (faults.length > 0) throw new AtriumError('invalid_parameters', undefined, { faults });
}

const combination = (pointer: string, other: string): Fault => ({
  pointer,
  code: 'combination',
  message: `must be left out with ${other}`,
});

function orderOf({ filter, sort = 'created' }: DashboardListQuery, isSearch: boolean): ListOrder {
  if (filter === 'recent') return 'visited';
  return isSearch && sort === 'created' && filter !== 'starred' ? 'found' : sort;
}

async function findScope(
  reader: Reader,
  actor: Actor,
  { organizationId, scope, folderId }: DashboardListQuery,
): Promise<ListScope> {
  const { userId } = actor;
  if (organizationId !== undefined) {
    await requirePermission(reader, actor, organizationId, 'organization.view');
    await requireVisibleFolder(reader, { folderId, userId, organizationId });
    return { userId, organizationIds: [organizationId], hasPersonal: false };
  }
  const organizationIds = scope === 'personal' ? [] : await listOrganizationIds(reader, actor);
  return { userId, organizationIds, hasPersonal: actor.scope === 'all' };
}
